// The table. An option that is missing here is missing on purpose: it writes, runs something, reads names from a file,
// follows links, waits, or nobody has looked at it yet.
#include "commands.h"

#include "rules.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::string_view kLsLongs =
    "all almost-all author escape block-size= ignore-backups color? directory dired classify? file-type format= "
    "full-time group-directories-first no-group human-readable si dereference dereference-command-line hide= "
    "hyperlink? indicator-style= inode ignore= kibibytes numeric-uid-gid literal hide-control-chars "
    "show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= "
    "context zero help version";
constexpr std::string_view kGrepLongs =
    "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file/ ignore-case no-ignore-case invert-match "
    "word-regexp line-regexp count color? colour? files-without-match files-with-matches max-count= only-matching "
    "quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null "
    "after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-dir= include= "
    "recursive dereference-recursive line-buffered null-data binary help version";
constexpr std::string_view kRgLongs =
    "regexp= ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match count "
    "count-matches files files-with-matches files-without-match max-count= only-matching quiet line-number "
    "no-line-number with-filename no-filename heading no-heading column vimgrep color= colors= context= "
    "after-context= before-context= glob= iglob= type= type-not= type-list hidden no-ignore no-ignore-vcs max-depth= "
    "max-filesize= multiline multiline-dotall pcre2 replace= sort= sortr= stats text trim null json passthru "
    "max-columns= max-columns-preview no-messages no-config unrestricted help version";
constexpr std::string_view kDiffLongs =
    "normal brief report-identical-files unified? context? ed rcs side-by-side width= left-column "
    "suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab recursive "
    "no-dereference new-file unidirectional-new-file ignore-file-name-case exclude= ignore-case ignore-tab-expansion "
    "ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text "
    "strip-trailing-cr minimal speed-large-files color? help version";
constexpr std::string_view kSortLongs =
    "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort "
    "human-numeric-sort numeric-sort random-sort reverse version-sort sort= check? key= merge stable "
    "field-separator= unique zero-terminated parallel= debug help version";
constexpr std::string_view kSumLongs = "binary text tag zero help version";
constexpr std::string_view kHelp = "help version";

using enum Operands;
using enum Globs;

constexpr Command sum(std::string_view name) {
  return {.name = name,
          .flags = "btz",
          .valued = "l=",
          .longs = kSumLongs,
          .globs = reading,
          .reads_input = true,
          .names_only = true};
}
constexpr Command grep(std::string_view name) {
  return {.name = name,
          .flags = "EFGPivwxcLlqsnHhobaUzZTrRIy",
          .valued = "e=f/m=A=B=C=d=D=",
          .longs = kGrepLongs,
          .operands = pattern_then_paths,
          .globs = reading,
          .inputless = "r R recursive dereference-recursive help version",
          .reads_input = true,
          .numbers = true,
          .boxed = "R dereference-recursive"};
}
constexpr Command awk(std::string_view name) {
  return {.name = name,
          .valued = "F=v=",
          .operands = pattern_then_paths,
          .least = 1,
          .reads_input = true,
          .ordered = true,
          .best = Decision::sandbox,
          .rule = rules::awk};
}
// They read formats that are easy to get wrong.
constexpr Command binary(std::string_view name, std::string_view flags, std::string_view valued,
                         std::string_view longs) {
  return {.name = name,
          .flags = flags,
          .valued = valued,
          .longs = longs,
          .least = 1,
          .best = Decision::sandbox,
          .rule = rules::no_response_files};
}
constexpr Command plain(std::string_view name, std::string_view flags, std::string_view longs = kHelp) {
  return {.name = name, .flags = flags, .longs = longs, .operands = none};
}

constexpr Command kCommands[] = {
    {.name = "ls",
     .flags = "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1",
     .valued = "I=w=T=",
     .longs = kLsLongs,
     .globs = harmless,
     .names_only = true},
    {.name = "pwd", .flags = "LP", .operands = none},
    {.name = "cat",
     .flags = "AbeEnstTuv",
     .longs = "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
     .globs = harmless,
     .reads_input = true},
    {.name = "head",
     .flags = "qvz",
     .valued = "n=c=",
     .longs = "bytes= lines= quiet silent verbose zero-terminated help version",
     .globs = harmless,
     .reads_input = true,
     .numbers = true},
    // In its old forms, -cf and +5f, it follows the file.
    {.name = "tail",
     .flags = "qvz",
     .valued = "n#c#",
     .longs = "bytes# lines# quiet silent verbose zero-terminated help version",
     .globs = reading,
     .reads_input = true,
     .numbers = true,
     .rule = rules::tail},
    {.name = "wc",
     .flags = "clmwL",
     .longs = "bytes chars lines words max-line-length total= help version",
     .globs = reading,
     .reads_input = true,
     .names_only = true},
    {.name = "sort", .flags = "bcCdfghiMmnRrsuVz", .valued = "k=t=", .longs = kSortLongs, .reads_input = true},
    {.name = "uniq",
     .flags = "cdDiuz",
     .valued = "f=s=w=",
     .longs = "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated "
              "check-chars= help version",
     .globs = never,
     .most = 1,
     .reads_input = true,
     .ordered = true},
    {.name = "cut",
     .flags = "nsz",
     .valued = "b=c=d=f=",
     .longs = "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated help "
              "version",
     .globs = harmless,
     .reads_input = true},
    {.name = "tr",
     .flags = "cCdst",
     .longs = "complement delete squeeze-repeats truncate-set1 help version",
     .operands = texts,
     .least = 1,
     .most = 2,
     .reads_input = true},
    {.name = "nl",
     .flags = "p",
     .valued = "b=d=f=h=i=l=n=s=v=w=",
     .longs = kHelp,
     .globs = harmless,
     .reads_input = true},
    {.name = "tac",
     .flags = "br",
     .valued = "s=",
     .longs = "before regex separator= help version",
     .globs = harmless,
     .reads_input = true},
    {.name = "rev", .reads_input = true},
    {.name = "fold",
     .flags = "bs",
     .valued = "w=",
     .longs = "bytes spaces width= help version",
     .globs = harmless,
     .reads_input = true},
    {.name = "expand", .flags = "i", .valued = "t=", .longs = "initial tabs= help version", .reads_input = true},
    {.name = "paste",
     .flags = "sz",
     .valued = "d=",
     .longs = "delimiters= serial zero-terminated help version",
     .globs = harmless,
     .reads_input = true},
    {.name = "column",
     .flags = "tx",
     .valued = "s=o=c=",
     .longs = "table separator= output-separator= output-width=",
     .reads_input = true},
    {.name = "comm",
     .flags = "123z",
     .longs = "output-delimiter= total zero-terminated help version",
     .least = 2,
     .most = 2},
    {.name = "join",
     .flags = "iz",
     .valued = "a=e=1=2=j=o=t=v=",
     .longs = "ignore-case header help version",
     .least = 2,
     .most = 2},
    {.name = "od",
     .flags = "abcdfiloxsv",
     .valued = "A=j=N=t=w?",
     .longs = "address-radix= skip-bytes= read-bytes= format= help version",
     .reads_input = true},
    {.name = "hexdump", .flags = "bcCdovx", .valued = "n=s=", .reads_input = true},
    // A second operand is written to, and of an option it looks at the first letters only.
    {.name = "xxd",
     .flags = "abeipu",
     .valued = "c#g#l#s#",
     .longs = "ps",
     .reads = Options::words,
     .globs = never,
     .most = 1,
     .reads_input = true},
    {.name = "base64",
     .flags = "di",
     .valued = "w=",
     .longs = "decode ignore-garbage wrap= help version",
     .most = 1,
     .reads_input = true},
    grep("grep"),
    grep("egrep"),
    grep("fgrep"),
    {.name = "rg",
     .flags = "FwxviSscloqnNHIhUaP0upV",
     .valued = "e=m=A=B=C=g=t=T=j=M=r=d=",
     .longs = kRgLongs,
     .operands = pattern_then_paths},
    {.name = "diff",
     .flags = "qsceynpTtrNPiEbwBaduZ",
     .valued = "U=C=W=F=L=x=I=",
     .longs = kDiffLongs,
     .least = 2,
     .most = 2},
    {.name = "cmp",
     .flags = "bls",
     .valued = "i=n=",
     .longs = "print-bytes ignore-initial= verbose bytes= quiet silent help version",
     .least = 2,
     .most = 2},
    {.name = "stat",
     .flags = "Lft",
     .valued = "c=",
     .longs = "dereference file-system format= printf= terse help version",
     .globs = harmless,
     .least = 1,
     .names_only = true},
    {.name = "file",
     .flags = "bhikLNr0",
     .valued = "F=P=",
     .longs = "brief mime mime-type mime-encoding dereference no-dereference keep-going raw separator= extension "
              "no-pad help version",
     .globs = reading,
     .least = 1,
     .names_only = true},
    {.name = "basename",
     .flags = "az",
     .valued = "s=",
     .longs = "multiple suffix= zero help version",
     .operands = texts,
     .least = 1},
    {.name = "dirname", .flags = "z", .longs = "zero help version", .operands = texts, .least = 1},
    {.name = "realpath",
     .flags = "emLPqsz",
     .longs = "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to/ "
              "relative-base/ help version",
     .least = 1,
     .names_only = true},
    {.name = "readlink",
     .flags = "femnqsvz",
     .longs =
         "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version",
     .least = 1,
     .names_only = true},
    {.name = "du",
     .flags = "0abchHkmsSxlP",
     .valued = "d=t=B=",
     .longs = "null all apparent-size bytes total human-readable si summarize separate-dirs one-file-system max-depth= "
              "threshold= block-size= exclude= inodes time? count-links no-dereference help version",
     .globs = reading,
     .names_only = true},
    {.name = "df",
     .flags = "ahHiklPT",
     .valued = "B=t=x=",
     .longs = "all human-readable si inodes local portability print-type block-size= type= exclude-type= total output? "
              "help version",
     .names_only = true},
    {.name = "tree",
     .flags = "adfisphugDFtrnCAJQNUvcq",
     .valued = "L#P=I=",
     .longs = "noreport dirsfirst filesfirst charset= filelimit= prune gitignore matchdirs ignore-case du si inodes "
              "device sort= help version",
     .reads = Options::letters,
     .names_only = true},
    {.name = "true", .operands = texts, .globs = harmless, .raw = true},
    {.name = "false", .operands = texts, .globs = harmless, .raw = true},
    {.name = ":", .operands = texts, .globs = harmless, .raw = true},
    {.name = "test", .operands = texts, .globs = never, .raw = true, .rule = rules::test},
    {.name = "[", .operands = texts, .globs = never, .raw = true, .rule = rules::test},
    {.name = "echo", .operands = texts, .globs = harmless, .raw = true},
    {.name = "printf", .operands = texts, .globs = never, .least = 1, .raw = true, .rule = rules::print_format},
    {.name = "date",
     .flags = "uR",
     .valued = "d=r/I?",
     .longs = "date= reference/ utc universal rfc-email rfc-3339= iso-8601? help version",
     .operands = texts,
     .globs = never,
     .rule = rules::date},
    plain("whoami", ""),
    plain("id", "agGnruz", "group groups name real user zero help version"),
    plain("groups", ""),
    plain("uname", "asnrvmpio",
          "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system "
          "help version"),
    plain("arch", ""),
    plain("nproc", "", "all ignore= help version"),
    plain("uptime", "ps", "pretty since help version"),
    plain("hostname", "", ""),
    plain("free", "bkmghltvw", "bytes kibi mebi gibi human lohi total wide help version"),
    {.name = "expr", .operands = texts, .globs = never, .least = 1, .raw = true},
    plain("tty", "s", "silent quiet help version"),
    {.name = "which", .flags = "as", .operands = texts, .least = 1, .ordered = true, .rule = rules::names_only},
    {.name = "type", .flags = "aftpP", .operands = texts, .least = 1, .ordered = true, .rule = rules::names_only},
    {.name = "command", .flags = "vV", .operands = texts, .least = 1, .ordered = true, .rule = rules::names_only},
    sum("md5sum"),
    sum("sha1sum"),
    sum("sha224sum"),
    sum("sha256sum"),
    sum("sha384sum"),
    sum("sha512sum"),
    sum("b2sum"),
    {.name = "cksum", .longs = kHelp, .reads_input = true, .names_only = true},
    {.name = "seq",
     .flags = "w",
     .valued = "s=",
     .longs = "equal-width separator= help version",
     .operands = texts,
     .globs = never,
     .least = 1,
     .most = 3,
     .numbers = true,
     .rule = rules::seq},
    {.name = "sed",
     .flags = "nErsuz",
     .valued = "e=",
     .longs = "quiet silent expression= regexp-extended separate null-data unbuffered sandbox posix help version",
     .operands = pattern_then_paths,
     .reads_input = true,
     .ordered = true,
     .rule = rules::sed},
    // Its words are read by the rule alone.
    {.name = "find", .operands = texts, .globs = never, .raw = true, .rule = rules::find},
    {.name = "jq",
     .flags = "rcSesMCajnR",
     .longs = "raw-output compact-output sort-keys exit-status slurp monochrome-output color-output ascii-output "
              "join-output null-input raw-input tab indent# arg&",
     .operands = pattern_then_paths,
     .least = 1,
     .inputless = "n null-input",
     .reads_input = true,
     .ordered = true,
     .best = Decision::sandbox,
     .rule = rules::jq},
    awk("awk"),
    awk("gawk"),
    awk("mawk"),
    binary("strings", "adfw", "n=t=", "all data print-file-name bytes= radix= help version"),
    binary("nm", "aABCDglnoprSuv", "",
           "debug-syms print-file-name demangle? dynamic extern-only line-numbers numeric-sort no-sort reverse-sort "
           "print-size size-sort undefined-only defined-only help version"),
    binary("size", "ABdotx", "", "format= radix= totals help version"),
    binary(
        "readelf", "aADdehlnrsSVWu", "x=p=",
        "all file-header program-headers segments section-headers sections symbols syms dyn-syms headers notes relocs "
        "dynamic version-info wide help version"),
    binary(
        "objdump", "aCdDfghprRstTwxz", "M=j=",
        "archive-headers file-headers private-headers section-headers headers all-headers disassemble? disassemble-all "
        "full-contents syms dynamic-syms reloc dynamic-reloc demangle? no-show-raw-insn wide section= help version"),
};

}  // namespace

const Command* find_command(std::string_view name) {
  const auto* found = std::ranges::find(kCommands, name, &Command::name);
  return found == std::end(kCommands) ? nullptr : found;
}

}  // namespace BELAY_NAMESPACE::policy
