// Names that take long to resolve: nobody waits for them.
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <netdb.h>

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>

namespace {

/// Where the system's function stands still, for names that begin with `slow`.
struct Gate {
  std::mutex lock;
  std::condition_variable changed;
  int inside = 0;
  bool open = false;

  void pass() {
    std::unique_lock guard(lock);
    ++inside;
    changed.notify_all();
    changed.wait(guard, [&] { return open; });
    --inside;
    changed.notify_all();
  }
  bool wait_inside(int count) {
    std::unique_lock guard(lock);
    return changed.wait_for(guard, belay::check::kPatience, [&] { return inside == count; });
  }
  void set_open(bool now) {
    const std::lock_guard guard(lock);
    open = now;
    changed.notify_all();
  }
};

Gate& gate() {
  static Gate one;
  return one;
}

}  // namespace

// Stands before the C library's: libcurl finds this one.
extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** result) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  if (node && std::strncmp(node, "slow", 4) == 0) {
    gate().pass();
    return EAI_NONAME;
  }
  return real(node, service, hints, result);
}

namespace belay::net {
namespace {

using check::Recorder;
using Kind = Error::Kind;

TEST(NetResolve, ANameThatIsStillLookedForHoldsUpNeitherCancellationNorTimeOutNorEnd) {
  gate().set_open(false);
  {
    Client client;
    auto cancelled = std::make_shared<Recorder>(), late = std::make_shared<Recorder>(),
         left = std::make_shared<Recorder>();
    const auto id = client.start({.url = "http://slow-one.test/"}, cancelled);
    ASSERT_TRUE(gate().wait_inside(1));
    client.cancel(id);
    ASSERT_TRUE(cancelled->wait_end());
    EXPECT_EQ(cancelled->error()->kind, Kind::cancelled);

    client.start({.url = "http://slow-two.test/", .timeouts = {.connect = 50}}, late);
    ASSERT_TRUE(late->wait_end());
    EXPECT_EQ(late->error()->kind, Kind::timeout) << late->trouble();

    client.start({.url = "http://slow-three.test/"}, left);
    ASSERT_TRUE(gate().wait_inside(3));
  }  // the destructor comes back, too
  gate().set_open(true);
  ASSERT_TRUE(gate().wait_inside(0));
}

TEST(NetResolve, ANameThatIsNotFoundIsSaid) {
  gate().set_open(true);
  auto r = check::get("http://slow.test/?key=sk-secret");
  EXPECT_EQ(r->trouble(),
            "resolve: the name of slow.test:80 is not known: look for a typing error, and at the network");
}

}  // namespace
}  // namespace belay::net
