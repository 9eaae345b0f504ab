#ifndef CVARVE_MODELS_H
#define CVARVE_MODELS_H

#include <stddef.h>

/// Returns a class that is compiled into the program, as the bits of its metatype.
typedef const void *_Nonnull (*varve_model)(void);

/// The number of functions in the section `varve_models` of the program. The macro `@Model` adds one
/// for each class.
size_t varve_model_count(void);

/// Calls one of these functions. `index` must be less than their count.
const void *_Nonnull varve_model_at(size_t index);

#endif
