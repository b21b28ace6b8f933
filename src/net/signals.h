// Signals are for the program's own threads; a connection that is gone is an error here, not a SIGPIPE.
#pragma once

#include <belay/version.h>

#include <signal.h>

namespace BELAY_NAMESPACE::net {

/// A thread that is started while this lives gets no signals.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace BELAY_NAMESPACE::net
