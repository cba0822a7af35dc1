/* A second stack that a block is executed on, so that it can stop in the middle. */
#ifndef INTERP_FIBER_H
#define INTERP_FIBER_H

#include <stdbool.h>

typedef struct fiber fiber;

/* `body` runs on the new stack when it is first resumed; it returns when it is done. */
fiber *fiber_new(void (*body)(void *user), void *user);
/* Goes on where it paused; comes back when it pauses again or is done. */
void fiber_resume(fiber *f);
/* Returns, from inside the fiber, to whoever resumed it. */
void fiber_pause(fiber *f);
bool fiber_done(const fiber *f);
/* It must be done, or never resumed: what lies on its stack is not released. */
void fiber_free(fiber *f);

#endif
