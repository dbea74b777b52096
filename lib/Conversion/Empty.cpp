#include "bquant/Conversion/Passes.h"
