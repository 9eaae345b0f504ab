#include "CVarveModels.h"

// The linker defines both symbols if the program has such a section. Hidden: a library that is loaded
// later has its own.
extern varve_model __start_varve_models[] __attribute__((weak, visibility("hidden")));
extern varve_model __stop_varve_models[] __attribute__((weak, visibility("hidden")));

size_t varve_model_count(void) {
  return (size_t)(__stop_varve_models - __start_varve_models);
}

const void *varve_model_at(size_t index) { return __start_varve_models[index](); }
