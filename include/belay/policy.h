// What may run: the gate, permissions, and the reading of shell commands.
#pragma once

#include <belay/policy/shell.h>
