#include "interp/fiber.h"
#include "base/base.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/* The sanitizer must be told of each change of stacks. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define SWITCH_BEGINS(fake, bottom, size) __sanitizer_start_switch_fiber((fake), (bottom), (size))
#define SWITCH_ENDS(fake, bottom, size)   __sanitizer_finish_switch_fiber((fake), (bottom), (size))
#else
#define SWITCH_BEGINS(fake, bottom, size) ((void)(fake), (void)(bottom), (void)(size))
#define SWITCH_ENDS(fake, bottom, size)   ((void)(fake), (void)(bottom), (void)(size))
#endif

/* Pages are there only once touched; regions nested as deep as a run allows fit several times. */
#define STACK_BYTES ((size_t)4 << 20)

struct fiber {
    ucontext_t here, caller;
    void *stack;
    void (*body)(void *user);
    void *user;
    bool done;
    void *fake; /* the sanitizer's, of this stack */
    const void *caller_bottom;
    size_t caller_size;
};

static void enter(unsigned high, unsigned low)
{
    fiber *f = (fiber *)((uintptr_t)high << 32 | low);
    SWITCH_ENDS(NULL, &f->caller_bottom, &f->caller_size);
    f->body(f->user);
    f->done = true;
    SWITCH_BEGINS(NULL, f->caller_bottom, f->caller_size); /* for good */
    swapcontext(&f->here, &f->caller);
}

fiber *fiber_new(void (*body)(void *user), void *user)
{
    fiber *f = calloc(1, sizeof *f);
    if (!f)
        tr_no_memory();
    f->body = body;
    f->user = user;
    f->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (f->stack == MAP_FAILED)
        tr_no_memory();
    getcontext(&f->here);
    f->here.uc_stack.ss_sp = f->stack;
    f->here.uc_stack.ss_size = STACK_BYTES;
    uintptr_t number = (uintptr_t)f;
    makecontext(&f->here, (void (*)(void))enter, 2, (unsigned)(number >> 32), (unsigned)number);
    return f;
}

void fiber_resume(fiber *f)
{
    void *fake = NULL;
    SWITCH_BEGINS(&fake, f->stack, STACK_BYTES);
    swapcontext(&f->caller, &f->here);
    SWITCH_ENDS(fake, NULL, NULL);
}

void fiber_pause(fiber *f)
{
    SWITCH_BEGINS(&f->fake, f->caller_bottom, f->caller_size);
    swapcontext(&f->here, &f->caller);
    SWITCH_ENDS(f->fake, &f->caller_bottom, &f->caller_size);
}

bool fiber_done(const fiber *f)
{
    return f->done;
}

void fiber_free(fiber *f)
{
    if (!f)
        return;
    munmap(f->stack, STACK_BYTES);
    free(f);
}
