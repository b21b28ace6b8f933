#include "help.h"

namespace belay::cli {

const std::string_view kSchemaHelp =
    R"(NAME
    belay schema - check a value against a JSON Schema, or align it with one

SYNOPSIS
    belay schema [OPTIONS] SCHEMA [FILE]

DESCRIPTION
    Reads a JSON Schema from SCHEMA and a JSON value from FILE, or from standard
    input when FILE is absent or "-". SCHEMA may be "-" when FILE is a file.

    A value that satisfies the schema gives exit status 0 and no output. For any
    other, standard error has one line for each error: where in the text it is,
    one sentence, and the keyword of the schema that was violated. Of several
    alternatives (anyOf, oneOf) only the nearest is explained.

    With --align the value is then changed to what the schema wants where its
    meaning is plain, as a model's arguments often need it; see ALIGNING.

    Both texts have to be JSON as RFC 8259 defines it. With --mend a damaged
    value is mended first, as belay repair does it.

    Schemas may come from strangers. Nothing is ever fetched, patterns are
    matched in linear time, and every limit is finite; see LIMITS.

OPTIONS
    --draft 7|2020-12
        The draft of a schema that has no $schema, or one that is not known.
        2020-12 is the default. A $schema that is known decides by itself;
        2019-09 and draft 6 are known too.

    --remotes DIR
        Files that the schema may refer to: http://localhost:1234/a/b.json is
        DIR/a/b.json, and relative references start at http://localhost:1234/.
        Only regular files below DIR are read, never through ".." or a link that
        leads out of it.

    --formats
        Check "format" as well: date-time, email, uri, uuid and the others of
        the two drafts. Without it "format" is a remark. Formats that are not
        known are never checked.

    --align
        Write the value as compact JSON and a newline when it satisfies the
        schema, changed or not. Each change is a line on standard error. When
        no change helps, nothing is written and the errors are those of the
        value as it came.

    --mend
        Mend FILE first where it is not JSON. Each change is a line on standard
        error, before those of --align. What is right only if a guess is gives
        exit status 3. Several values in one text are an error.

        Use this, not belay repair | belay schema SCHEMA --align: what repair
        writes does not say any more how a number was spelled or what was
        guessed. {"zip": 0x1F} is mended to {"zip":31}, and where zip is a
        string, "31" is not what was written: with --mend it is a guess.

    --json
        Write one report to standard output instead, on one line; see REPORT.
        The exit status stays the same.

    --lines
        Read one value a line and write one report a line, as --json has it, in
        the same order; see LINES.

    --jobs N
        With --lines, share the values out to N threads, 1 to 256. The output is
        the same for every N. The default is 1.

    --limit NAME=VALUE
        Set a limit; see LIMITS. May be given several times.

    -h, --help
        This text.

EXIT STATUS
    0    the value satisfies the schema, or does after --align
    1    it does not, or FILE is not JSON (with --mend: holds no value, or
         several); or the output could not be written
    2    the schema is not one, or refers to something that is not there; wrong
         usage; SCHEMA, FILE or DIR cannot be read
    3    with --mend: it does, but a change to the text or to the value is a
         guess; the reason is on standard error. Without --mend guesses of
         --align leave the status 0

ALIGNING
    A change is safe when the value had one meaning only, and a guess otherwise:

    number_from_string     safe     "5" for 5
    string_from_number     safe     5 for "5"; a guess if --mend changed how a
                                    number in the text was spelled
    boolean_from_string    safe     "true" for true
    item_to_list           safe     "a" for ["a"]; an empty string is a guess
    json_in_string         safe     "[1]" for [1]
    enum_case              safe     "Left" for "left", if no other fits
    null_dropped           safe     a null for a member that may be absent
    near_key               guess    filePath for file_path
    unknown_key_dropped    guess    a member that the schema does not allow

    Any of them is a guess where another alternative of the schema was as near.
    No value is ever made up. Changes are kept only if the whole value then
    satisfies the schema; one that satisfies it already is never touched.

REPORT
    {"valid":false,"errors":[...],"errors_total":N}

    valid           true or false; after aligning, if --align is given
    errors          the errors in the order of the text:
                    {"path","keyword","message","schema_path","line","column",
                    "offset"}
                    path is a JSON Pointer of the value, schema_path one of the
                    keyword; keyword is "json" when the text is not JSON, and
                    "limit" when a limit was passed; line and column count from
                    1, columns and offset in bytes; all three are null where
                    --mend has changed the text
    errors_total    those beyond the limit violations included; counting ends
                    at 4096

    With --mend also:

    verdict         one word for mending and aligning together: valid, mended,
                    split, guessed or broken, as belay repair has them
    mends           the changes to the text: {"kind","offset","length","grade"},
                    as in the report of belay repair
    mends_total     changes made, those beyond the limit edits included

    With --align also:

    value           the value that satisfies the schema, or null
    edits           the changes in order: {"kind","grade","path"}, for near_key
                    "to" as well; grade is "safe" or "guess"

    A schema that cannot be used gives
    {"valid":null,"error":{"where":"/properties/a/type","message":"..."}}
    where is a JSON Pointer of the schema, in another document behind its URI.

LINES
    With --lines each line of FILE is a text of its own, and line n of the
    output is the report of line n. The schema is compiled once. A line ends
    with a line feed, or with a carriage return and a line feed; the last one
    may lack it. An empty line is not JSON. Places in a report count from the
    beginning of its line. A report is written as soon as its line has come and
    the input has no more for the moment.

    The exit status is 0 when all values satisfy the schema, else 1, and then
    standard error has a summary: how many do, how many do not, how many are not
    JSON, and the first line of each. Guesses of --align are in the reports.

LIMITS
    VALUE may end in K, M or G, for 1024, 1024*1024 and 1024*1024*1024. Passing
    one of these is an error that names the limit:

    depth           brackets open at once, in any of the texts (1024)
    bytes           bytes of any of the texts (4G; with --lines 64M)
    subschemas      schemas in the schema and in what it refers to (100000)
    schema_steps    steps of checking, beside 100 for each value (10000000)

    These are no errors:

    violations      errors listed (32, at most 4096); further ones are counted
    edits           changes that --align may make (10000); where more would be
                    needed, none is made. Also changes of --mend that are
                    listed; further ones are made and counted

EXAMPLES
    A schema, and a value that does not satisfy it:

        $ echo '{"properties": {"days": {"type": "integer"}}}' > weather.json
        $ echo '{"city": "Oslo", "days": "3"}' > args.json
        $ belay schema weather.json args.json
        args.json:1:26: days must be an integer, got "3" (type)

    The same, aligned:

        $ belay schema weather.json args.json --align
        {"city":"Oslo","days":3}
        /days: a numeric string is now the number (number_from_string, safe)

    For a program:

        $ belay schema weather.json args.json --json | fold -w 72
        {"valid":false,"errors":[{"path":"/days","keyword":"type","message":"day
        s must be an integer, got \"3\"","schema_path":"/properties/days/type","
        line":1,"column":26,"offset":25}],"errors_total":1}

    A file of values, one a line:

        $ printf '{"days": "3"}\n{"days": "x"}\n' > log.jsonl
        $ belay schema weather.json log.jsonl --align --lines 2>err | cut -c -72
        {"valid":true,"errors":[],"errors_total":0,"value":{"days":3},"edits":[{
        {"valid":false,"errors":[{"path":"/days","keyword":"type","message":"day
        $ cat err
        belay schema: 2 records: 1 valid, 1 not valid (in line 2)

    A damaged value, mended first:

        $ echo "{'days': '2'}" | belay schema weather.json --mend --align
        {"days":2}
        <stdin>:1:2: other quote characters (quote_spelling, safe)
        <stdin>:1:10: other quote characters (quote_spelling, safe)
        /days: a numeric string is now the number (number_from_string, safe)

    A schema that is none:

        $ echo '{"type": "text"}' > bad.json
        $ echo '"x"' | belay schema bad.json --json | fold -w 72
        {"valid":null,"error":{"where":"/type","message":"type must be null, boo
        lean, integer, number, string, array or object, or a list of these"}}

    In a script:

        $ echo '{"days": 5}' | belay schema weather.json && echo yes
        yes

SEE ALSO
    docs/schema.md says what of JSON Schema is supported and what is refused,
    and has examples of every change that --align makes.
)";

}  // namespace belay::cli
