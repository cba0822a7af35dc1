/* The command's entry point; everything it does is in driver.h. */
#include "driver/driver.h"

int main(int argc, char **argv)
{
    return driver_main(stdout, stderr, argc, (const char *const *)argv);
}
