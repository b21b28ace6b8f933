#include "help.h"

namespace belay::cli {

const std::string_view kRepairHelp =
    R"(NAME
    belay repair - mend damaged JSON and say how far it can be trusted

SYNOPSIS
    belay repair [OPTIONS] [FILE]

DESCRIPTION
    Reads text that should be JSON from FILE, or from standard input when FILE
    is absent or "-". Writes the value as compact JSON and a newline; several
    values that were glued together are written one a line.

    What JSON lacks is mended. Every change has a grade: it is safe when the
    text has one reading only (a trailing comma, single quotes, True for true,
    a Markdown fence around the value), and a guess otherwise (a quote inside a
    string, a missing comma or bracket). The verdict follows from the grades
    and from how the text ended; see VERDICTS.

    Standard error is quiet when the result can be trusted, as for any filter;
    --verbose shows what was changed all the same. Otherwise it says why not:
    where, what, and what to send instead. With --json the report says that.

    A terminal gets every control character in a string as an escape (\u009b),
    so that it does not obey them. A file or a pipe gets the bytes.

    With --lines a file of records, one a line, is read record by record; see
    LINES.

    Input is read as it arrives and its text is not kept. The values are, until
    the end and with --stream too: two to five times as many bytes as the input
    has, and up to twelve times for many small numbers or brackets; brackets
    nested deeper than the limit allows by default cost some 40 bytes each, and
    with a key 90. Time is linear in the input.

OPTIONS
    --strict
        Mend nothing: accept JSON as RFC 8259 defines it, and end at the first
        deviation with its position. Half of a surrogate pair (\ud800 alone),
        which UTF-8 cannot hold, is a deviation too. With --end cut, what was
        right until the input ended is truncated, not broken.

    --end complete|cut
        How the input ended. complete, the default: the writer had finished, so
        an open bracket was forgotten (a guess). cut: it was interrupted, by a
        token limit or a lost connection, so what is open is truncated.

    --root any|object
        What the value may be. any is the default; a number, literal or string
        counts only when it is the whole input. object is for the arguments of
        a call: whatever stands around the object is prose.

    --json
        Write one report instead of the values, on one line; see REPORT. The
        exit status stays the same.

    --lines
        Read one record a line and write one report a line, in the same order.
        See LINES. Cannot be used with --stream.

    --jobs N
        With --lines, share the records out to N threads, 1 to 256. The output
        is the same for every N. The default is 1, as other processes of a pipe
        want to work too; $(nproc) takes the whole machine.

    --stream
        Write valid JSON text while the input arrives, as soon as it is
        certain; JSON without damage passes byte for byte. It stops for good
        before the first guess; where a change that was passed on becomes a
        guess (\n in a string that had \q before it, say); and where a cut
        input ends. Then nothing is closed and nothing taken back, and the
        input is read to its end for the verdict. Cannot be used with --json.

    --chunk N
        Feed the reader exactly N bytes at a time, 1 to 16M, instead of what
        arrives; with --lines, read N bytes at a time. The result is the same
        for every N; this is for tests.

    --limit NAME=VALUE
        Set a limit; see LIMITS. May be given several times.

    -v, --verbose
        List every change on standard error, whatever the verdict. With --lines,
        write the summary on standard error, whatever the verdicts.

    -h, --help
        This text.

VERDICTS
    valid        JSON, nothing was changed
    mended       changed, every change safe
    split        several values, every change safe
    guessed      at least one change is a guess: look before you use the value
    truncated    cut inside a value: what is certain is written, if anything
                 is; never act on it
    broken       no value at all, a limit was passed, or not JSON (--strict)

    The first that applies, from below, is the verdict.

EXIT STATUS
    0    valid, mended or split
    1    broken: nothing on standard output, except what --stream had written;
         or the output could not be written
    2    wrong usage, or FILE cannot be read
    3    guessed or truncated: the best value is written, if any was certain
         before a cut; the reason is on standard error

REPORT
    {"verdict":"...","values":[...],"edits":[...],"edits_total":N,"error":...}

    verdict        one word of VERDICTS
    values         the values in order; what was understood when broken
    edits          the changes in order: {"kind","offset","length","grade"}
                   offset and length are bytes of the input; length 0 is an
                   insertion; grade is "safe" or "guess"
    edits_total    changes made, those beyond the limit edits included
    error          null, or for truncated and broken
                   {"kind","message","offset","line","column"}
                   line and column count from 1, columns in bytes

LINES
    With --lines each line of the input is a text of its own, and line n of the
    output is the report of line n, as --json writes it. Damage in one line
    touches no other. A value that is valid stands in its report as it stands in
    the line (unless a carriage return is within it); all others are compact.
    Places in a report count from the beginning of its record.

    A line ends with a line feed, or with a carriage return and a line feed; the
    last one may lack it. An empty line is a record without a value: broken,
    with an error of kind "empty". A byte order mark at the beginning of a file
    is a change of its first record. --end says how each record ended.

    A report is written as soon as its line has come and the input has no more
    for the moment, so that "tail -f" can be read. A record that is longer than
    the limit bytes is broken, with an error of kind "limit", and the next ones
    are read. Each job keeps some 256 KB of lines with their reports, and for a
    longer record three to twelve times its bytes.

    The exit status is that of the worst record: 1 if any is broken, else 3 if
    any is guessed or truncated, else 0. Unless that is 0, standard error ends
    with a summary: how many records have each verdict, and the first line that
    has one of the last three.

LIMITS
    VALUE may end in K, M or G, for 1024, 1024*1024 and 1024*1024*1024. Passing
    one of these makes the result broken, with an error that names the limit:

    depth     brackets open at once (1024)
    bytes     bytes of the input (4G); with --lines, of one record (64M)
    values    values glued together (no limit)

    This one is no error and changes neither value nor verdict:

    edits     changes listed (10000), and the first guess if it is not 0;
              further ones are made and counted, in edits_total and on
              standard error

EXAMPLES
    Python instead of JSON:

        $ echo "{'ok': True, 'tags': ['a', 'b',],}" | belay repair
        {"ok":true,"tags":["a","b"]}

    Which changes were made, for a program:

        $ echo '{"a": 1,}' | belay repair --json | fold -w 72
        {"verdict":"mended","values":[{"a":1}],"edits":[{"kind":"trailing_comma"
        ,"offset":7,"length":1,"grade":"safe"}],"edits_total":1,"error":null}

    A guess. The exit status is 3, and standard error says why:

        $ echo '{"text": "he said "no" to me"}' | belay repair
        {"text":"he said \"no\" to me"}
        belay repair: guessed: more than one reading was possible
          line 1, column 19, byte 18: inner_quote (guess)
            a quote inside a string, not escaped
            {"text": "he said "no" to me"}
                              ^
          line 1, column 22, byte 21: inner_quote (guess)
            a quote inside a string, not escaped
            {"text": "he said "no" to me"}
                                 ^
        Look at the value before you use it. To have it certain next time:
          write \" for a quote inside a string

    A stream that a token limit cut off: what had arrived, and exit status 3:

        $ printf '{"text": "hel' | belay repair --end cut 2>/dev/null; echo $?
        {"text":"hel"}
        3

    Glued objects, one a line:

        $ printf '{"id": 1}{"id": 2}' | belay repair
        {"id":1}
        {"id":2}

    A file of records, one a line; the second is damaged:

        $ printf '{"id": 1}\n{"id": 2,}\n[3]\n' > log.jsonl
        $ belay repair --lines log.jsonl | cut -c -72
        {"verdict":"valid","values":[{"id": 1}],"edits":[],"edits_total":0,"erro
        {"verdict":"mended","values":[{"id":2}],"edits":[{"kind":"trailing_comma
        {"verdict":"valid","values":[[3]],"edits":[],"edits_total":0,"error":nul

    A check that changes nothing:

        $ echo '[1, 2,]' | belay repair --strict
        belay repair: broken: this byte cannot stand here: JSON wants a value
          line 1, column 7, byte 6: unexpected_byte
            [1, 2,]
                  ^
        Without --strict it is mended where possible, every change listed.

SEE ALSO
    docs/reader.md lists every kind of damage and its grade.

    belay schema SCHEMA --mend --align mends a value and aligns it with a
    schema in one go. A pipe from belay repair would lose what the grades of
    aligning need: that 31 was written as 0x1F, say.
)";

}  // namespace belay::cli
