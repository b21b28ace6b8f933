#include "support/task_stage.h"
