#ifndef CVARVE_H
#define CVARVE_H

/* The few lines that Swift cannot say. Everything here is free of policy: Swift decides, C carries out. */

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
