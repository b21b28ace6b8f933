// Commands that are well known, and asked about: why, in words.
#include "commands.h"

#include <algorithm>

namespace BELAY_NAMESPACE::policy {
namespace {

struct Danger {
  std::string_view names;  // apart by spaces
  std::string_view reason;
};
constexpr Danger kDangers[] = {
    {" rm rmdir unlink shred truncate ", "removes files"},
    {" touch mkdir cp mv ln install tee dd mkfifo mktemp mknod split csplit patch ", "writes files"},
    {" chmod chown chgrp chattr setfacl ", "changes who may use files"},
    {" curl wget ssh scp sftp rsync nc ncat telnet ftp ping dig host nslookup gh ", "reaches the network"},
    {" eval source . exec builtin trap enable mapfile readarray compgen complete bind ",
     "runs text as commands, or changes what commands mean"},
    {" export declare typeset local readonly set unset shopt alias unalias hash read getopts let printenv env ",
     "changes or shows the environment"},
    {" xargs parallel timeout nice nohup stdbuf setsid time watch flock strace ltrace gdb chroot unshare nsenter "
     "busybox script entr ",
     "runs another command"},
    {" sudo su doas pkexec ", "runs a command as somebody else"},
    {" bash sh dash zsh ksh fish python python2 python3 node deno bun perl ruby php lua tclsh osascript ",
     "runs programs of any kind"},
    {" vi vim nvim nano emacs ed ex less more man info ", "waits for somebody at a terminal, and can run commands"},
    {" make cmake ninja npm npx yarn pnpm cargo go mvn gradle pip pip3 uv poetry gcc g++ cc clang docker ",
     "runs what the project's files say"},
    {" tar zip unzip gzip gunzip bzip2 xz zstd 7z cpio ar zcat ", "writes files, or runs other programs"},
    {" kill pkill killall ps top htop lsof reboot shutdown systemctl service crontab at ",
     "shows or changes what runs on the machine"},
    {" yes sleep wait ", "runs without an end, or waits"},
    {" pushd popd dirs history fc jobs fg bg disown ulimit umask exit return logout ", "changes the shell itself"},
};

struct Version {
  std::string_view program;
  std::string_view argument;
};
constexpr Version kVersions[] = {
    {"python", "--version"},
    {"python3", "--version"},
    {"python3", "-V"},
    {"node", "--version"},
    {"node", "-v"},
    {"npm", "--version"},
    {"npm", "-v"},
    {"gcc", "--version"},
    {"g++", "--version"},
    {"cc", "--version"},
    {"clang", "--version"},
    {"cmake", "--version"},
    {"make", "--version"},
    {"ninja", "--version"},
    {"go", "version"},
    {"rustc", "--version"},
    {"cargo", "--version"},
    {"java", "--version"},
    {"java", "-version"},
    {"ruby", "--version"},
    {"perl", "--version"},
    {"php", "--version"},
    {"bash", "--version"},
    {"openssl", "version"},
    {"pip", "--version"},
    {"pip3", "--version"},
    {"ld", "--version"},
    {"gdb", "--version"},
    {"clang++", "--version"},
    {"jq", "--version"},
    {"rg", "--version"},
    {"tree", "--version"},
    {"awk", "--version"},
    {"file", "--version"},
    {"docker", "--version"},
    {"python", "-V"},
    {"ruby", "-v"},
    {"perl", "-v"},
    {"php", "-v"},
    {"yarn", "--version"},
    {"yarn", "-v"},
    {"pnpm", "--version"},
    {"pnpm", "-v"},
    {"deno", "--version"},
    {"bun", "--version"},
    {"bun", "-v"},
    {"rustc", "-V"},
    {"cargo", "-V"},
    {"tsc", "--version"},
    {"tsc", "-v"},
    {"javac", "--version"},
    {"javac", "-version"},
    {"dotnet", "--version"},
    {"swift", "--version"},
    {"uv", "--version"},
    {"pip", "-V"},
    {"pip3", "-V"},
};

}  // namespace

std::string_view known_danger(std::string_view name) {
  if (name.empty() || name.contains(' ')) return {};
  const std::string spaced = " " + std::string(name) + " ";
  for (const Danger& danger : kDangers)
    if (danger.names.contains(spaced)) return danger.reason;
  return {};
}

bool prints_version(std::string_view program, std::string_view argument) {
  return std::ranges::any_of(kVersions,
                             [&](const Version& v) { return v.program == program && v.argument == argument; });
}

}  // namespace BELAY_NAMESPACE::policy
