#ifndef CVARVE_REFERENCES_H
#define CVARVE_REFERENCES_H

/* A function of the Swift runtime: the retain emitted by `-assume-single-threaded`. */
void *swift_nonatomic_retain(void *object);

/* Retains a Swift object that no other thread can reach. */
static inline void varve_retain_alone(void *object) { swift_nonatomic_retain(object); }

#endif
