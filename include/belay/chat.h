// The neutral vocabulary of conversations and streams.
#pragma once

#include <belay/chat/delta.h>
#include <belay/chat/message.h>
