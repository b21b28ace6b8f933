// Tools kept in their place: files beneath the workspace.
#pragma once

#include <belay/sandbox/workspace.h>
