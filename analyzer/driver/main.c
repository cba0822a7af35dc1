/* The command's entry point; everything it does is in driver.h. */
int main(void)
{
    return 0;
}
