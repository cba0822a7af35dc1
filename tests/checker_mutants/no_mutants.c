/* What the copy of the sources has in place of this file chooses a mutant (mutate.py). */
extern int tr_mutant;
extern unsigned char *tr_seen;

int tr_mutant;
static unsigned char seen_here[1 << 14];
unsigned char *tr_seen = seen_here;
