#include "bquant/Dialect/BQuant/Transforms/Passes.h"
