#ifndef CVARVE_H
#define CVARVE_H

/* The code that cannot be written in Swift. It has no policy: Swift decides, and C executes. */

#include "CVarveAtomics.h"
#include "CVarveBytes.h"
#include "CVarveCRC32C.h"
#include "CVarveFork.h"
#include "CVarveFutex.h"
#include "CVarveHazard.h"
#include "CVarveModels.h"
#include "CVarveReferences.h"
#include "CVarveSharedMutex.h"
#include "CVarveSystem.h"

#endif
