// Random fragments of calls against a model of its own: which call each one is for, what the calls are then, and that
// none is trusted whose turn had a fragment of no call.
#include <belay/turn.h>

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace belay::turn {
namespace {

struct Fragment {
  std::optional<std::int64_t> index;
  std::string id, name, text;
};

std::string shown(const std::vector<Fragment>& fragments) {
  std::string out;
  for (const Fragment& f : fragments)
    out += "  index " + (f.index ? std::to_string(*f.index) : "-") + " id '" + f.id + "' name '" + f.name + "' text '" +
           f.text + "'\n";
  return out;
}

// The model. A fragment continues a call when neither its id nor its index contradicts that. Written from the rules of
// docs/wires.md, with plain loops, and nothing of the ledger's.
struct Modelled {
  std::optional<std::int64_t> index;
  std::string id, name, raw;
  bool over = false;  // another call began under its names
};

class Model {
 public:
  std::vector<Modelled> calls;
  std::string stray;
  std::optional<std::size_t> touched;  // the call that the last fragment was for

  void add(const Fragment& f) {
    std::optional<std::size_t> at = find(f);
    if (at && is_another(calls[*at], f)) {
      calls[*at].over = true;
      at.reset();
    }
    if (!at && !f.index && f.id.empty() && f.name.empty()) {
      stray += f.text;
      touched.reset();
      return;
    }
    if (!at) {
      calls.emplace_back();
      at = calls.size() - 1;
    }
    last_ = touched = at;
    Modelled& call = calls[*at];
    if (!call.index) call.index = f.index;
    if (call.id.empty()) call.id = f.id;
    // A name comes before the arguments, whole or in pieces.
    if (call.name.empty() || (call.raw.empty() && f.name.starts_with(call.name)))
      call.name = f.name.empty() ? call.name : f.name;
    else if (call.raw.empty() && f.name != call.name)
      call.name += f.name;
    call.raw += f.text;
  }

 private:
  template <class Fits>
  std::optional<std::size_t> newest(Fits fits) const {
    for (std::size_t i = calls.size(); i-- > 0;)
      if (fits(calls[i])) return i;
    return std::nullopt;
  }
  std::optional<std::size_t> find(const Fragment& f) const {
    const auto with_id = newest([&](const Modelled& c) { return !f.id.empty() && c.id == f.id; });
    if (f.index) {
      // Mostly the call that the last fragment was for.
      auto there = newest([&](const Modelled& c) { return c.index == f.index; });
      if (last_ && calls[*last_].index == f.index) there = last_;
      if (there) {
        const Modelled& call = calls[*there];
        if (f.id.empty()) return call.over ? std::nullopt : there;
        if (call.id == f.id) return there;
        if (with_id) return newest([&](const Modelled& c) { return c.id == f.id && c.index == f.index; });
        return call.id.empty() && !call.over ? there : std::nullopt;
      }
      // The first on its index: of a call that had none so far.
      const auto candidate = with_id ? with_id : last_;
      if (!candidate || calls[*candidate].index || calls[*candidate].over) return std::nullopt;
      if (with_id) return candidate;
      return f.name.empty() && (f.id.empty() || calls[*candidate].id.empty()) ? candidate : std::nullopt;
    }
    const bool open = last_ && !calls[*last_].over;
    if (f.id.empty()) return open ? last_ : std::nullopt;
    if (with_id) return with_id;
    const bool late = open && calls[*last_].id.empty() && !calls[*last_].index && f.name.empty();
    return late ? last_ : std::nullopt;
  }
  static bool is_another(const Modelled& call, const Fragment& f) {
    if (f.name.empty() || call.name.empty() || (!f.id.empty() && call.id == f.id)) return false;
    json::Reader reader({.root = json::Root::object});
    reader.push(call.raw);
    const json::MaybePartial value = reader.value();
    if (!value || !value->seems_closed()) return false;
    return f.name != call.name || f.text.find_first_not_of(" }") != f.text.npos;
  }
  std::optional<std::size_t> last_;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  template <class T, std::size_t N>
  const T& pick(const std::array<T, N>& of) {
    return of[engine_() % N];
  }
  std::size_t below(std::size_t n) { return engine_() % n; }

 private:
  std::mt19937_64 engine_;
};

std::vector<Fragment> random_fragments(Random& random) {
  static const std::array<std::optional<std::int64_t>, 4> indexes = {std::nullopt, 0, 1, 0};
  static const std::array<std::string, 4> ids = {"", "", "a", "b"};
  static const std::array<std::string, 4> names = {"", "", "f", "g"};
  static const std::array<std::string, 8> texts = {"", "{\"x\":1}", "{\"x\":", "1}", "{\"y\":\"a", "b\"}", "{}", " "};
  std::vector<Fragment> out(1 + random.below(6));
  for (Fragment& f : out) f = {random.pick(indexes), random.pick(ids), random.pick(names), random.pick(texts)};
  return out;
}

Answer read(const std::vector<Fragment>& fragments) {
  struct Nobody final : EventSink {
  } nobody;
  Ledger ledger(nobody);
  for (const Fragment& f : fragments)
    ledger.on(chat::delta::Call{.key = {.index = f.index, .id = f.id}, .name = f.name, .arguments = f.text});
  return ledger.finish(chat::StopReason::tool_calls);
}

std::string say(const std::vector<Modelled>& calls) {
  std::string out;
  for (const Modelled& c : calls) out += "[" + c.name + " " + c.raw + "]";
  return out;
}

/// The answer's calls, in the same words; those that only repeat another one are in neither.
std::vector<Modelled> calls_of(const Answer& answer) {
  std::vector<Modelled> out;
  for (const Call& c : answer.calls) out.push_back({std::nullopt, c.made_id ? "" : c.id, c.name, c.raw});
  return out;
}

bool any_repeated(const std::vector<Modelled>& calls) {
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!calls[i].id.empty() && calls[i].id == calls[k].id && calls[i].name == calls[k].name) return true;
  return false;
}

/// Whether a fragment of no call came when call `at` had begun.
bool began_before_stray(const std::vector<Fragment>& fragments, std::size_t at) {
  Model all;
  for (const Fragment& f : fragments) all.add(f);
  Model model;
  for (const Fragment& f : fragments) {
    const std::string stray = model.stray;
    model.add(f);
    if (f.text.empty() || model.calls.size() <= at) continue;
    if (model.stray != stray) return true;
    // A call that never gets a name is none.
    for (std::size_t i = 0; i < model.calls.size(); ++i)
      if (i != at && all.calls[i].name.empty() && model.touched == i) return true;
  }
  return false;
}

constexpr std::size_t kRuns = 200'000;

TEST(TurnProperty, FragmentsGoWhereTheModelPutsThem) {
  Random random(1);
  std::size_t compared = 0;
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::vector<Fragment> fragments = random_fragments(random);
    Model model;
    for (const Fragment& f : fragments) model.add(f);
    if (any_repeated(model.calls)) continue;
    ++compared;
    const Answer answer = read(fragments);
    ASSERT_EQ(say(calls_of(answer)), say(model.calls)) << shown(fragments);
    ASSERT_EQ(answer.stray, model.stray) << shown(fragments);
  }
  EXPECT_GT(compared, kRuns / 2);
}

TEST(TurnProperty, WhatComesInComesOut) {
  Random random(2);
  for (std::size_t run = 0; run < kRuns / 4; ++run) {
    const std::vector<Fragment> fragments = random_fragments(random);
    const Answer answer = read(fragments);
    std::string in, out = answer.stray;
    for (const Fragment& f : fragments) in += f.text;
    for (const Call& call : answer.calls) out += call.raw;
    if (answer.calls.size() < answer.blocks.size()) continue;
    Model model;
    for (const Fragment& f : fragments) model.add(f);
    if (any_repeated(model.calls)) continue;  // a call that counts once came more often
    std::ranges::sort(in);
    std::ranges::sort(out);
    ASSERT_EQ(out, in) << shown(fragments);
  }
}

TEST(TurnProperty, NothingIsTrustedBesideAFragmentOfNoCall) {
  Random random(3);
  std::size_t seen = 0;
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::vector<Fragment> fragments = random_fragments(random);
    Model model;
    for (const Fragment& f : fragments) model.add(f);
    bool stray = !model.stray.empty();
    for (const Modelled& c : model.calls) stray |= c.name.empty() && !c.raw.empty();
    if (!stray || any_repeated(model.calls)) continue;
    ++seen;
    const Answer answer = read(fragments);
    for (std::size_t i = 0; i < answer.calls.size(); ++i) {
      if (model.calls[i].over || !began_before_stray(fragments, i)) continue;
      ASSERT_FALSE(answer.calls[i].trusted) << i << "\n" << shown(fragments);
    }
  }
  EXPECT_GT(seen, kRuns / 20);
}

TEST(TurnProperty, WhatIsTrustedIsWhatTheFragmentsSay) {
  Random random(4);
  std::size_t trusted = 0;
  for (std::size_t run = 0; run < kRuns; ++run) {
    const std::vector<Fragment> fragments = random_fragments(random);
    Model model;
    for (const Fragment& f : fragments) model.add(f);
    const Answer answer = read(fragments);
    for (const Call& call : answer.calls) {
      if (!call.trusted || call.verdict.word() != json::Word::valid) continue;
      ++trusted;
      // No arguments at all are {}.
      std::string text = call.raw;
      if (text.find_first_not_of(' ') == text.npos) text = "{}";
      const json::Reading reading = json::read(text, {.mode = json::Mode::strict, .root = json::Root::object});
      ASSERT_EQ(reading.verdict.word(), json::Word::valid) << call.raw << "\n" << shown(fragments);
      ASSERT_TRUE(reading.document.root() == *call.arguments()) << shown(fragments);
      ASSERT_FALSE(call.name.empty());
    }
  }
  EXPECT_GT(trusted, kRuns / 10);
}

}  // namespace
}  // namespace belay::turn
