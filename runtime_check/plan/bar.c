#include "plan/bar.h"

#include <unistd.h>

#include "base/process.h"

#define WIDTH    30
#define QUIET_MS 500 /* before the bar first shows */
#define FRAME_MS 100

gpu_bar plan_bar_start(FILE *out, const char *what)
{
    return (gpu_bar){.out = out, .what = what, .began = tr_now_ms()};
}

static void time_left(FILE *out, double seconds)
{
    if (seconds >= 90)
        fprintf(out, "%.0f min left", seconds / 60);
    else
        fprintf(out, "%.0f s left", seconds);
}

void plan_bar_step(void *user, unsigned done, unsigned of)
{
    gpu_bar *bar = user;
    int64_t now = tr_now_ms();
    if (!isatty(fileno(bar->out)) || now - bar->began < QUIET_MS || now - bar->drawn < FRAME_MS ||
        done == 0 || of == 0)
        return;
    double rate = 1000.0 * done / (double)(now - bar->began);
    int full = (int)((uint64_t)WIDTH * (done < of ? done : of) / of);
    fprintf(bar->out, "\r\033[K%s [", bar->what);
    for (int i = 0; i < WIDTH; i++)
        fputc(i < full ? '#' : '-', bar->out);
    fprintf(bar->out, "] %u of %u, %.*f a second, ", done, of, rate < 10 ? 1 : 0, rate);
    time_left(bar->out, (of > done ? of - done : 0) / rate);
    fflush(bar->out);
    bar->drawn = now;
    bar->shown = true;
}

void plan_bar_end(gpu_bar *bar)
{
    if (!bar->shown)
        return;
    fputs("\r\033[K", bar->out);
    fflush(bar->out);
    bar->shown = false;
}
