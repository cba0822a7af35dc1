/* The remains of a process that ended while it wrote a file. */
#ifndef TR_BASE_UNFINISHED_H
#define TR_BASE_UNFINISHED_H

/* Removes from the folder what that process had not finished (tr_write_whole, tr_write_files). The
 * process has ended. */
void tr_remove_unfinished(const char *folder, long process);

#endif
