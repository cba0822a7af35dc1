/* Declarations that the parts of the watcher share: watch.c listens to programs, watch_workers.c to
 * the checker's processes, watch_answers.c says what programs are waiting for. */
#ifndef EXEC_WATCH_PRIVATE_H
#define EXEC_WATCH_PRIVATE_H

#include "exec/watch.h"

/* The conversation with one process of the program; or a launch whose program waits for no answer,
 * or has ended. Such a launch has no channel, is in the lists of its module and of those that are
 * not judged yet, and ends when it is judged. */
typedef struct conversation {
    channel channel;
    bool is_passed;      /* it is such a launch */
    const char *program; /* of the process, as it tells; "" or NULL: it does not */
    uint64_t launch;     /* number of its last launch, in the order in which they came */
    module *module;      /* whose process is to answer it; or NULL */
    uint8_t *frame;      /* LAUNCH or EXECUTE that waits for its turn; of malloc; or NULL */
    size_t length;
    bool executes;        /* the last of these was EXECUTE */
    bool takes_finding;   /* what is found of its launch is for the program to say */
    char *where;          /* then: "file:line: error: the launch of 'kernel'"; of malloc; or NULL */
    bool stops;           /* and it must not happen then */
    uint32_t last_module; /* that it told of */
} conversation;

/* Counts one more launch for `about`, which has to outlive the tallies. */
void watch_count(tally **tallies, const char *about);
void watch_say(watch *w, const char *text);
/* The text that comes next, of the watcher's arena; "" for none. */
char *watch_read_text(watch *w, wire_reader *r);

/* Answers LAUNCH of which nothing is known. A program that takes what is found is told why. */
void watch_answer_lost(conversation *c, const char *why);
/* Answers LAUNCH with the last word. */
void watch_answer_launch_by(conversation *c, wire_outcome outcome, const char *found);
/* Goes on, or asks for `n_wanted` arrays (`wanted_bytes` of the message). */
void watch_answer_launch(conversation *c, size_t n_wanted, const uint8_t *wanted,
                         size_t wanted_bytes);
/* Answers MODULE with the entries of `m` as far as they are known. */
void watch_answer_entries(conversation *c, const module *m); /* NULL: nobody's */
/* Answers with the entries of `m`, now or when its process has read it. */
void watch_ask_entries(watch *w, module *m, conversation *c);

/* A launch may write anywhere of which nothing else is known. */
void watch_distrust_memory(watch *w);
/* Nothing more is to be said of the launch of `c`, which may be NULL. Ends `c` where it was that
 * launch alone. */
void watch_end_launch(watch *w, conversation *c);
/* How many milliseconds the checker's process has for what `c` has sent. */
int64_t watch_patience(const conversation *c);
/* Lets the next launch that waits be judged, or executed. */
void watch_hand_on(watch *w, module *m);
/* Answers a conversation that waits for its turn and gets none. */
void watch_let_go(watch *w, module *m, conversation *c);
/* Ends the process of `m`, and answers all that wait for it. */
void watch_give_up(watch *w, module *m, const char *why);
/* The same, where it took no frame: errno says whether it has died or does not read, and free()
 * leaves it as it is. */
void watch_give_up_sending(watch *w, module *m);

void watch_hear_worker(watch *w, module *m);
/* The process of `m` asked for contents, and there are none to be had. */
void watch_send_no_contents(watch *w, module *m);

#endif
