// What may run: the gate, permissions, and the reading of shell commands.
#pragma once

#include <belay/policy/answer.h>
#include <belay/policy/gate.h>
#include <belay/policy/permission.h>
#include <belay/policy/shell.h>
