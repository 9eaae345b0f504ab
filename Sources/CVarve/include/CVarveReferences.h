#ifndef CVARVE_REFERENCES_H
#define CVARVE_REFERENCES_H

/* Of the Swift runtime: what `-assume-single-threaded` makes of a retain. */
void *swift_nonatomic_retain(void *object);

/* Counts one more reference to a Swift object that no other thread can reach. */
static inline void varve_retain_alone(void *object) { swift_nonatomic_retain(object); }

#endif
