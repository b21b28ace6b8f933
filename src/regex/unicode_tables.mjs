// Writes unicode_tables.cpp from the Unicode data that node has:
//   node src/regex/unicode_tables.mjs > src/regex/unicode_tables.cpp
// Newer scripts and properties have to be added to the lists below; a script that is missing here ends the program.

const kEnd = 0x110000;

const categories =
    'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn'.split(' ');

function pairs(list) {
  return list.trim().split(/\s+/).map((pair) => pair.split(':'));
}

// Code and name, as in PropertyValueAliases.txt.
const scripts = pairs(`
Adlm:Adlam Aghb:Caucasian_Albanian Ahom:Ahom Arab:Arabic Armi:Imperial_Aramaic Armn:Armenian Avst:Avestan
Bali:Balinese Bamu:Bamum Bass:Bassa_Vah Batk:Batak Beng:Bengali Berf:Beria_Erfe Bhks:Bhaiksuki Bopo:Bopomofo
Brah:Brahmi Brai:Braille Bugi:Buginese Buhd:Buhid Cakm:Chakma Cans:Canadian_Aboriginal Cari:Carian Cham:Cham
Cher:Cherokee Chrs:Chorasmian Copt:Coptic Cpmn:Cypro_Minoan Cprt:Cypriot Cyrl:Cyrillic Deva:Devanagari
Diak:Dives_Akuru Dogr:Dogra Dsrt:Deseret Dupl:Duployan Egyp:Egyptian_Hieroglyphs Elba:Elbasan Elym:Elymaic
Ethi:Ethiopic Gara:Garay Geor:Georgian Glag:Glagolitic Gong:Gunjala_Gondi Gonm:Masaram_Gondi Goth:Gothic Gran:Grantha
Grek:Greek Gujr:Gujarati Gukh:Gurung_Khema Guru:Gurmukhi Hang:Hangul Hani:Han Hano:Hanunoo Hatr:Hatran Hebr:Hebrew
Hira:Hiragana Hluw:Anatolian_Hieroglyphs Hmng:Pahawh_Hmong Hmnp:Nyiakeng_Puachue_Hmong Hung:Old_Hungarian
Ital:Old_Italic Java:Javanese Kali:Kayah_Li Kana:Katakana Kawi:Kawi Khar:Kharoshthi Khmr:Khmer Khoj:Khojki
Kits:Khitan_Small_Script Knda:Kannada Krai:Kirat_Rai Kthi:Kaithi Lana:Tai_Tham Laoo:Lao Latn:Latin Lepc:Lepcha
Limb:Limbu Lina:Linear_A Linb:Linear_B Lisu:Lisu Lyci:Lycian Lydi:Lydian Mahj:Mahajani Maka:Makasar Mand:Mandaic
Mani:Manichaean Marc:Marchen Medf:Medefaidrin Mend:Mende_Kikakui Merc:Meroitic_Cursive Mero:Meroitic_Hieroglyphs
Mlym:Malayalam Modi:Modi Mong:Mongolian Mroo:Mro Mtei:Meetei_Mayek Mult:Multani Mymr:Myanmar Nagm:Nag_Mundari
Nand:Nandinagari Narb:Old_North_Arabian Nbat:Nabataean Newa:Newa Nkoo:Nko Nshu:Nushu Ogam:Ogham Olck:Ol_Chiki
Onao:Ol_Onal Orkh:Old_Turkic Orya:Oriya Osge:Osage Osma:Osmanya Ougr:Old_Uyghur Palm:Palmyrene Pauc:Pau_Cin_Hau
Perm:Old_Permic Phag:Phags_Pa Phli:Inscriptional_Pahlavi Phlp:Psalter_Pahlavi Phnx:Phoenician Plrd:Miao
Prti:Inscriptional_Parthian Rjng:Rejang Rohg:Hanifi_Rohingya Runr:Runic Samr:Samaritan Sarb:Old_South_Arabian
Saur:Saurashtra Sgnw:SignWriting Shaw:Shavian Shrd:Sharada Sidd:Siddham Sidt:Sidetic Sind:Khudawadi Sinh:Sinhala
Sogd:Sogdian Sogo:Old_Sogdian Sora:Sora_Sompeng Soyo:Soyombo Sund:Sundanese Sunu:Sunuwar Sylo:Syloti_Nagri Syrc:Syriac
Tagb:Tagbanwa Takr:Takri Tale:Tai_Le Talu:New_Tai_Lue Taml:Tamil Tang:Tangut Tavt:Tai_Viet Tayo:Tai_Yo Telu:Telugu
Tfng:Tifinagh Tglg:Tagalog Thaa:Thaana Thai:Thai Tibt:Tibetan Tirh:Tirhuta Tnsa:Tangsa Todr:Todhri Tols:Tolong_Siki
Toto:Toto Tutg:Tulu_Tigalari Ugar:Ugaritic Vaii:Vai Vith:Vithkuqi Wara:Warang_Citi Wcho:Wancho Xpeo:Old_Persian
Xsux:Cuneiform Yezi:Yezidi Yiii:Yi Zanb:Zanabazar_Square Zinh:Inherited Zyyy:Common Zzzz:Unknown`);

// Name and short name: table 66 of ECMA-262, except ASCII, Any and Assigned, which need no data.
const binary = pairs(`
ASCII_Hex_Digit:AHex Alphabetic:Alpha Bidi_Control:Bidi_C Bidi_Mirrored:Bidi_M Case_Ignorable:CI Cased:Cased
Changes_When_Casefolded:CWCF Changes_When_Casemapped:CWCM Changes_When_Lowercased:CWL
Changes_When_NFKC_Casefolded:CWKCF
Changes_When_Titlecased:CWT Changes_When_Uppercased:CWU Dash:Dash Default_Ignorable_Code_Point:DI Deprecated:Dep
Diacritic:Dia Emoji:Emoji Emoji_Component:EComp Emoji_Modifier:EMod Emoji_Modifier_Base:EBase Emoji_Presentation:EPres
Extended_Pictographic:ExtPict Extender:Ext Grapheme_Base:Gr_Base Grapheme_Extend:Gr_Ext Hex_Digit:Hex
IDS_Binary_Operator:IDSB IDS_Trinary_Operator:IDST ID_Continue:IDC ID_Start:IDS Ideographic:Ideo Join_Control:Join_C
Logical_Order_Exception:LOE Lowercase:Lower Math:Math Noncharacter_Code_Point:NChar Pattern_Syntax:Pat_Syn
Pattern_White_Space:Pat_WS Quotation_Mark:QMark Radical:Radical Regional_Indicator:RI Sentence_Terminal:STerm
Soft_Dotted:SD Terminal_Punctuation:Term Unified_Ideograph:UIdeo Uppercase:Upper Variation_Selector:VS White_Space:space
XID_Continue:XIDC XID_Start:XIDS`);

function members(property) {
  const one = new RegExp(`^\\p{${property}}$`, 'u');
  const out = new Uint8Array(kEnd);
  for (let c = 0; c < kEnd; ++c) out[c] = one.test(String.fromCodePoint(c)) ? 1 : 0;
  return out;
}

function runs(valueOf) {
  let out = '';
  for (let from = 0, c = 1; c <= kEnd; ++c) {
    if (c < kEnd && valueOf(c) === valueOf(from)) continue;
    out += valueOf(from) + (c - from);
    from = c;
  }
  return out;
}

function literal(text, indent = '    ') {
  if (text === '') return '""';
  const width = 118 - indent.length;
  const lines = [];
  for (let i = 0; i < text.length; i += width) lines.push(`${indent}"${text.slice(i, i + width)}"`);
  return lines.join('\n').trimStart();
}

function packed(items) {
  const lines = [''];
  for (const item of items) {
    const line = `${lines.at(-1)} ${item}`;
    if (line.length > 116) lines.push(` ${item}`);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => `   ${line}`).join('\n');
}

const categoryOf = new Uint8Array(kEnd);
categories.forEach((name, i) => members(`gc=${name}`).forEach((is, c) => { if (is) categoryOf[c] = i; }));

const scriptOf = new Uint8Array(kEnd).fill(255);
const extensionsOf = new Map();
scripts.forEach(([code, name], i) => {
  members(`sc=${name}`).forEach((is, c) => { if (is) scriptOf[c] = i; });
  members(`scx=${code}`).forEach((is, c) => { if (is) extensionsOf.set(c, (extensionsOf.get(c) ?? '') + code); });
});
const stray = scriptOf.indexOf(255);
if (stray >= 0) throw new Error(`U+${stray.toString(16)} is of a script that is not in the list`);

// The categories that leave a short list of exceptions: those of whose members most have it, then each tried in turn.
function binaryRow([name, short]) {
  const has = members(name);
  const votes = categories.map(() => 0);
  has.forEach((is, c) => { votes[categoryOf[c]] += is ? 1 : -1; });
  const base = votes.map((sum) => sum > 0);
  const differ = () => runs((c) => (Boolean(has[c]) !== base[categoryOf[c]] ? 'Y' : 'N'));
  let best = differ();
  for (let i = 0; i < base.length; ++i) {
    base[i] = !base[i];
    const now = differ();
    if (now.length < best.length) best = now;
    else base[i] = !base[i];
  }
  const from = categories.filter((_, i) => base[i]).join('');
  return `    {"${name}", "${short}", "${from}",\n     ${literal(best, '     ')}},`;
}

const scriptRuns = runs((c) => scripts[scriptOf[c]][0]);
const extensionRuns = runs((c) => (extensionsOf.get(c) === scripts[scriptOf[c]][0] ? '-' : extensionsOf.get(c)));

console.log(`// Made by unicode_tables.mjs; not to be changed by hand. The data is Unicode's:
// copyright Unicode, Inc., https://www.unicode.org/license.txt
// clang-format off
#include "regex/unicode_tables.h"

namespace belay::regex {
namespace {

constexpr ScriptName kScripts[] = {
${packed(scripts.map(([code, name]) => `{"${code}", "${name}"},`))}
};

constexpr BinaryProperty kBinary[] = {
${binary.map(binaryRow).join('\n')}
};

}  // namespace

constinit const std::string_view kUnicodeVersion = "${process.versions.unicode}";

constinit const std::string_view kCategoryRuns =
    ${literal(runs((c) => categories[categoryOf[c]]))};

constinit const std::string_view kScriptRuns =
    ${literal(scriptRuns)};

constinit const std::string_view kScriptExtensionRuns =
    ${literal(extensionRuns)};

constinit const std::span<const ScriptName> kScriptNames = kScripts;
constinit const std::span<const BinaryProperty> kBinaryProperties = kBinary;

}  // namespace belay::regex`);
