#include "key_names.h"

#include <algorithm>
#include <vector>

namespace BELAY_NAMESPACE::policy {
namespace {

enum class Where : std::uint8_t { whole, begins, ends };

// `stem` is what tells the name from others: `json` in secrets.json does not.
struct KeyName {
  std::string_view text;
  std::string_view stem;
  Where where = Where::whole;
};

constexpr KeyName kKeyNames[] = {
    {"credentials", "credentials"},
    {"credentials.json", "credentials"},
    {"credentials.toml", "credentials"},
    {"secrets.json", "secrets"},
    {"secrets.toml", "secrets"},
    {"secrets.yaml", "secrets"},
    {"secrets.yml", "secrets"},
    {".ssh", "ssh"},
    {".aws", "aws"},
    {".gnupg", "gnupg"},
    {".netrc", "netrc"},
    {".npmrc", "npmrc"},
    {".pypirc", "pypirc"},
    {".git-credentials", "git-credentials"},
    {".docker", "docker"},
    {".kube", "kube"},
    {".htpasswd", "htpasswd"},
    {".pgpass", "pgpass"},
    {".env", "env"},
    {".envrc", "envrc"},
    {".vault-token", "vault-token"},
    {".my.cnf", "my.cnf"},
    {".boto", "boto"},
    {".s3cfg", "s3cfg"},
    {".dockercfg", "dockercfg"},
    {"_netrc", "_netrc"},
    {".azure", "azure"},
    {".env.", "env", Where::begins},
    {"id_rsa", "id_rsa", Where::begins},
    {"id_dsa", "id_dsa", Where::begins},
    {"id_ecdsa", "id_ecdsa", Where::begins},
    {"id_ed25519", "id_ed25519", Where::begins},
    {".pem", "pem", Where::ends},
    {".key", "key", Where::ends},
    {".p12", "p12", Where::ends},
    {".pfx", "pfx", Where::ends},
    {".kdbx", "kdbx", Where::ends},
    {".keystore", "keystore", Where::ends},
    {".jks", "jks", Where::ends},
    {".ppk", "ppk", Where::ends},
    {".env", "env", Where::ends},
    {".tfstate", "tfstate", Where::ends},
};
constexpr std::string_view kSamples[] = {".env.example", ".env.sample", ".env.template"};

constexpr std::size_t kLongestName = 255;  // of a file, on Linux
constexpr int kNever = -1;

// Whether a pattern and a key's name can mean the same file, and if so how many letters of the stem the pattern spells
// out at best. Which brackets are quoted is not known any more, so a `[` is read as a set that ends at any `]` behind
// it; as itself it is in none of the names, and only the open beginning or end of one can hold it. That finds too much
// now and then, and never too little.
class Meeting {
 public:
  Meeting(std::string_view pattern, const KeyName& key, bool open_begin, bool open_end)
      : pattern_(pattern),
        name_(key.text),
        stem_at_(key.text.find(key.stem)),
        stem_end_(stem_at_ + key.stem.size()),
        open_begin_(open_begin),
        open_end_(open_end) {}

  int letters() {
    const std::size_t width = name_.size() + 1;
    best_.assign((pattern_.size() + 1) * width, kNever);
    closed_.assign(width, kNever);
    for (std::size_t i = pattern_.size() + 1; i-- > 0;) {
      for (std::size_t j = width; j-- > 0;) best_[i * width + j] = step(i, j);
      if (i < pattern_.size() && pattern_[i] == ']')
        for (std::size_t j = 0; j < width; ++j) closed_[j] = std::max(closed_[j], at(i + 1, j));
    }
    if (!open_begin_) return at(0, 0);
    // What stands before the name's end may be anything; the pattern's own beginning has to make it.
    int most = kNever;
    for (std::size_t i = 0; i <= pattern_.size(); ++i) most = std::max(most, at(i, 0));
    return most;
  }

 private:
  [[nodiscard]] int at(std::size_t i, std::size_t j) const { return best_[i * (name_.size() + 1) + j]; }

  [[nodiscard]] int step(std::size_t i, std::size_t j) const {
    const bool name_done = j == name_.size();
    if (i == pattern_.size()) return name_done ? 0 : kNever;
    if (name_done && open_end_) return 0;
    const char c = pattern_[i];
    if (c == '*') return std::max(at(i + 1, j), name_done ? kNever : at(i, j + 1));
    if (name_done) return kNever;
    const int gain = j >= stem_at_ && j < stem_end_ ? 1 : 0;
    const auto plus = [](int letters, int more) { return letters == kNever ? kNever : letters + more; };
    if (c == '?') return at(i + 1, j + 1);
    if (c == '[') return plus(closed_[j + 1], gain);
    return c == name_[j] ? plus(at(i + 1, j + 1), gain) : kNever;
  }

  std::string_view pattern_;
  std::string_view name_;
  std::size_t stem_at_;
  std::size_t stem_end_;
  bool open_begin_;
  bool open_end_;
  std::vector<int> best_;    // letters from this place of the pattern and of the name on
  std::vector<int> closed_;  // the best behind any `]` further on
};

}  // namespace

bool is_key_name(std::string_view name) {
  if (std::ranges::find(kSamples, name) != std::end(kSamples)) return false;
  return std::ranges::any_of(kKeyNames, [&](const KeyName& key) {
    switch (key.where) {
      case Where::whole: return name == key.text;
      case Where::begins: return name.starts_with(key.text);
      case Where::ends: return name.ends_with(key.text);
    }
    return false;
  });
}

Finds finds_keys(std::string_view pattern, bool dots) {
  if (pattern.size() > kLongestName) return Finds::keys;
  Finds finds = Finds::other;
  for (const KeyName& key : kKeyNames) {
    const bool ends = key.where == Where::ends;
    // A shell's pattern that does not begin with a dot finds no name that does.
    if (!ends && key.text.starts_with('.') && !dots && !pattern.starts_with('.')) continue;
    const int enough = std::min(3, static_cast<int>(key.stem.size()) - 1);
    const int letters = Meeting(pattern, key, ends, key.where == Where::begins).letters();
    if (letters >= enough) return Finds::keys;
    // `*.txt` could find id_rsa.txt; only the name itself counts here.
    if (key.where == Where::begins ? Meeting(pattern, key, false, false).letters() != kNever : letters != kNever)
      finds = Finds::any;
  }
  return finds;
}

}  // namespace BELAY_NAMESPACE::policy
