#include <tile.h>

int printf(const char *, ...);
void outside(int n);

static int again(int n)
{
    return n > 0 ? again(n - 1) : 0; // error: again calls itself
}

static int even(int n);

static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1); // error: odd calls itself
}

static int forgets(int n)
{
    if (n > 0)
        return 1;
}

tile_kernel void other(int *p)
{
    p[0] = 1;
}

tile_kernel void k(int *p, int n)
{
    p[0] = again(n);
    p[1] = odd(n);
    outside(n); // error: outside has no body
    printf("x"); // error: a kernel has no strings
    other(p); // error: other is a kernel
    p[2] = forgets(n); // error: forgets may end without a value
    int (*f)(int) = 0; // error: f has a type
    f(1); // error: which function is called
}
