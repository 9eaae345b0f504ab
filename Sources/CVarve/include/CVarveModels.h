#ifndef CVARVE_MODELS_H
#define CVARVE_MODELS_H

#include <stddef.h>

/// Gives a class that is compiled into the program, as the bits of its metatype.
typedef const void *_Nonnull (*varve_model)(void);

/// How many functions the section `varve_models` of the program has. The macro `@Model` puts one there for each class.
size_t varve_model_count(void);

/// What one of these functions gives; `index` is less than their count.
const void *_Nonnull varve_model_at(size_t index);

#endif
