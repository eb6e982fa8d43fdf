//! The single-byte charsets of glibc that the web lacks: names, labels, properties.
//!
//! Where glibc and WHATWG have different tables for a name, the name means WHATWG's, and glibc's has `/glibc`
//! after it.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
use utfall_simd::single_byte::Page;
use utfall_simd::single_byte::{Entries, Inverse, NONE, Table};

use super::{Decoder, Encoder, glibc_tables as tables};
use crate::Options;
use crate::codec::Codec;
use crate::info::{BoundaryRule, Family, Info, Origin, SplitPoint};
use crate::repertoire::Repertoire;
use crate::charset::Charset;
use crate::route::Side;

/// A codec: its type, its code points, what is encoded besides, whether the name is registered,
/// the name, and labels.
macro_rules! charset {
    ($name:ident, $units:ident, $more:expr, $iana:literal, $label:literal, $aliases:expr) => {
        pub(crate) struct $name;

        impl $name {
            const TABLE: &'static Table = table!($name, tables::$units, $more);
        }

        impl Codec for $name {
            const INFO: Info = Info {
                name: $label,
                iana: $iana,
                aliases: $aliases,
                specification: concat!("GNU C Library, table ", stringify!($units)),
                origin: Origin::Glibc,
                boundaries: Some(BoundaryRule {
                    clause: "GNU C Library: the table has an entry for each byte",
                    is_boundary: |_, _| true,
                }),
                ascii_transparent: has_ascii(&tables::$units),
                seven_bit: is_seven_bit(&tables::$units),
                split_point: SplitPoint::Character,
                repertoire: Repertoire::Table,
                side: Side::Charset(Charset::SingleByte(Self::TABLE)),
                clause: |_| "GNU C Library: no entry in the table of this charset",
                ..Info::of(Family::SingleByte)
            };
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(_: &Options) -> Decoder {
                Decoder(Self::TABLE)
            }

            fn encoder(_: &Options) -> Encoder {
                Encoder(Self::TABLE)
            }
        }
    };
}

/// Whether the bytes below 80 are US-ASCII.
const fn has_ascii(units: &[u16; 256]) -> bool {
    let mut byte = 0;
    while byte < 0x80 {
        if units[byte] as usize != byte {
            return false;
        }
        byte += 1;
    }
    true
}

/// Whether no byte above 7F is a character.
const fn is_seven_bit(units: &[u16; 256]) -> bool {
    let mut byte = 0x80;
    while byte < 256 {
        if units[byte] != NONE {
            return false;
        }
        byte += 1;
    }
    true
}

charset! { Ibm437, IBM437, &[], true, "IBM437", &["cp437", "437", "cspc8codepage437", "osf100201b5"] }
charset! { Cp737, CP737, &[], false, "CP737", &[] }
charset! { Cp770, CP770, &[], false, "CP770", &[] }
charset! { Cp771, CP771, &[], false, "CP771", &[] }
charset! { Cp772, CP772, &[], false, "CP772", &[] }
charset! { Cp773, CP773, &[], false, "CP773", &[] }
charset! { Cp774, CP774, &[], false, "CP774", &[] }
charset! { Ibm775, CP775, &[], true, "IBM775", &["cp775", "cspc775baltic"] }
charset! { Ibm850, IBM850, &[], true, "IBM850", &["cp850", "850", "cspc850multilingual", "osf10020352"] }
charset! { Ibm851, IBM851, &[], true, "IBM851", &["cp851", "851", "csibm851"] }
charset! { Ibm852, IBM852, &[], true, "IBM852", &["cp852", "852", "cspcp852", "osf10020354"] }
charset! { Ibm855, IBM855, &[], true, "IBM855", &["cp855", "855", "csibm855", "osf10020357"] }
charset! { Ibm856, IBM856, &[], false, "IBM856", &["cp856", "856", "csibm856"] }
charset! { Ibm857, IBM857, &[], true, "IBM857", &["cp857", "857", "csibm857", "osf10020359"] }
charset! { Ibm00858, IBM858, &[], true, "IBM00858", &["cp858", "858", "cspc858multilingual", "ccsid00858", "csibm00858"] }
charset! { Ibm860, IBM860, &[], true, "IBM860", &["cp860", "860", "csibm860"] }
charset! { Ibm861, IBM861, &[], true, "IBM861", &["cp861", "861", "cpibm861", "osf1002035d"] }
charset! { Ibm862, IBM862, &[], true, "IBM862", &["cp862", "862", "cspc862latinhebrew", "osf1002035e"] }
charset! { Ibm863, IBM863, &[], true, "IBM863", &["cp863", "863", "csibm863", "osf1002035f"] }
charset! { Ibm864, IBM864, &[], true, "IBM864", &["cp864", "864", "csibm864", "osf10020360"] }
charset! { Ibm865, IBM865, &[], true, "IBM865", &["cp865", "865", "csibm865"] }
charset! { Ibm866nav, IBM866NAV, &[], false, "IBM866NAV", &["cp866nav", "866nav"] }
charset! { Ibm868, IBM868, &[], true, "IBM868", &["cp868", "cp-ar", "csibm868", "osf10020364"] }
charset! { Ibm869, IBM869, &[], true, "IBM869", &["cp869", "869", "cp-gr", "csibm869", "osf10020365"] }
charset! { Ibm874, IBM874, &[], false, "IBM874", &["874", "cp874"] }
charset! { Ibm891, IBM891, &[], true, "IBM891", &["cp891", "csibm891", "ibm903", "cp903", "csibm903", "osf1002037b", "osf10020387"] }
charset! { Ibm904, IBM904, &[], true, "IBM904", &["cp904", "904", "csibm904", "osf10020388"] }
charset! { Ibm1161, IBM1161, tables::IBM1161_MORE, false, "IBM1161", &["cp1161", "csibm1161"] }
charset! { Ibm9066, IBM9066, tables::IBM9066_MORE, false, "IBM9066", &["cp9066", "csibm9066"] }
charset! { Ibm901, IBM901, &[], false, "IBM901", &["cp901", "csibm901"] }
charset! { Ibm902, IBM902, &[], false, "IBM902", &["cp902", "csibm902"] }
charset! { Ibm922, IBM922, &[], false, "IBM922", &["cp922", "csibm922"] }
charset! { Ibm1004, IBM1004, &[], false, "IBM1004", &["cp1004", "os2latin1"] }
charset! { Ibm1008, IBM1008, &[], false, "IBM1008", &["cp1008", "csibm1008"] }
charset! { Ibm1046, IBM1046, tables::IBM1046_MORE, false, "IBM1046", &["cp1046", "1046"] }
charset! { Ibm1124, IBM1124, &[], false, "IBM1124", &["cp1124", "csibm1124"] }
charset! { Ibm1129, IBM1129, &[], false, "IBM1129", &["cp1129", "csibm1129"] }
charset! { Ibm1133, IBM1133, &[], false, "IBM1133", &["cp1133", "csibm1133"] }
charset! { Ibm1163, IBM1163, &[], false, "IBM1163", &["cp1163", "csibm1163"] }
charset! { Ibm4909, IBM4909, &[], false, "IBM4909", &["cp4909", "csibm4909"] }
charset! { Ibm9448, IBM9448, &[], false, "IBM9448", &["cp9448", "csibm9448"] }
charset! { Ibm1167, IBM1167, &[], false, "IBM1167", &["cp1167", "csibm1167", "KOI8-RU/glibc"] }
charset! { Cp1125, CP1125, &[], false, "CP1125", &["ruscii", "ibm848"] }
charset! { Cwi, CWI, &[], false, "CWI", &["cwi-2", "cp-hu"] }
charset! { Mik, MIK, &[], false, "MIK", &[] }
charset! { Koi8T, KOI8_T, &[], false, "KOI8-T", &[] }
charset! { Koi8Glibc, KOI_8, &[], false, "KOI-8/glibc", &[] }
charset! { Ptcp154, PT154, &[], true, "PTCP154", &["pt154", "csptcp154", "cp154", "cyrillic-asian"] }
charset! { Kz1048, RK1048, &[], true, "KZ-1048", &["rk1048", "strk1048-2002", "cskz1048"] }
charset! { Armscii8, ARMSCII_8, &[], false, "ARMSCII-8", &[] }
charset! { GeorgianAcademy, GEORGIAN_ACADEMY, &[], false, "GEORGIAN-ACADEMY", &[] }
charset! { GeorgianPs, GEORGIAN_PS, &[], false, "GEORGIAN-PS", &[] }
charset! { Viscii, VISCII, &[], true, "VISCII", &["csviscii"] }
charset! { Tcvn5712_1, TCVN5712_1, &[], false, "TCVN5712-1", &["tcvn", "tcvn-5712", "tcvn5712-1:1993"] }
charset! { WinSami2, WIN_SAMI_2, &[], false, "WIN-SAMI-2", &["ws2"] }
charset! { MacCentraleurope, MAC_CENTRALEUROPE, &[], false, "MAC-CENTRALEUROPE", &["cp1282", "x-mac-ce", "x-mac-centraleurroman", "cp10029"] }
charset! { MacIs, MAC_IS, &[], false, "MAC-IS", &[] }
charset! { MacSami, MAC_SAMI, &[], false, "MAC-SAMI", &[] }
charset! { MacUk, MAC_UK, &[], false, "MAC-UK", &["macukrainian", "mac-cyrillic"] }
charset! { Cp10007, CP10007, &[], false, "CP10007", &["ms-mac-cyrillic"] }
charset! { DecMcs, DEC_MCS, &[], true, "DEC-MCS", &["dec", "csdecmcs"] }
charset! { HpRoman8, HP_ROMAN8, &[], true, "hp-roman8", &["roman8", "r8", "cshproman8", "osf10010001"] }
charset! { HpRoman9, HP_ROMAN9, &[], false, "HP-ROMAN9", &["roman9", "r9"] }
charset! { HpGreek8, HP_GREEK8, &[], false, "HP-GREEK8", &["osf10010004"] }
charset! { HpTurkish8, HP_TURKISH8, &[], false, "HP-TURKISH8", &["turkish8", "osf10010006"] }
charset! { Iso8859_9e, ISO_8859_9E, &[], false, "ISO-8859-9E", &[] }
charset! { IsoIr197, ISO_IR_197, &[], false, "ISO-IR-197", &[] }
charset! { IsoIr209, ISO_IR_209, &[], false, "ISO-IR-209", &[] }
charset! { EcmaCyrillic, ECMA_CYRILLIC, &[], true, "ECMA-cyrillic", &["iso-ir-111", "csiso111ecmacyrillic"] }
charset! { Ibm037, IBM037, &[], true, "IBM037", &["cp037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-wt", "ebcdic-cp-nl", "csibm037", "cp1070", "cp282", "osf10020025"] }
charset! { Ibm038, IBM038, &[], true, "IBM038", &["ebcdic-int", "cp038", "csibm038"] }
charset! { Ibm256, IBM256, &[], false, "IBM256", &["ebcdic-int1"] }
charset! { Ibm273, IBM273, &[], true, "IBM273", &["cp273", "csibm273", "osf10020111"] }
charset! { Ibm274, IBM274, &[], true, "IBM274", &["ebcdic-be", "cp274", "csibm274"] }
charset! { Ibm275, IBM275, &[], true, "IBM275", &["ebcdic-br", "cp275", "csibm275"] }
charset! { Ibm277, IBM277, &[], true, "IBM277", &["ebcdic-cp-dk", "ebcdic-cp-no", "csibm277", "osf10020115"] }
charset! { Ibm278, IBM278, &[], true, "IBM278", &["cp278", "ebcdic-cp-fi", "ebcdic-cp-se", "csibm278", "osf10020116"] }
charset! { Ibm280, IBM280, &[], true, "IBM280", &["cp280", "ebcdic-cp-it", "csibm280", "osf10020118"] }
charset! { Ibm281, IBM281, &[], true, "IBM281", &["ebcdic-jp-e", "cp281", "csibm281"] }
charset! { Ibm284, IBM284, &[], true, "IBM284", &["cp284", "ebcdic-cp-es", "csibm284", "cp1079", "osf1002011c"] }
charset! { Ibm285, IBM285, &[], true, "IBM285", &["cp285", "ebcdic-cp-gb", "csibm285", "osf1002011d"] }
charset! { Ibm290, IBM290, &[], true, "IBM290", &["cp290", "ebcdic-jp-kana", "csibm290", "osf10020122"] }
charset! { Ibm297, IBM297, &[], true, "IBM297", &["cp297", "ebcdic-cp-fr", "csibm297", "cp1081", "osf10020129"] }
charset! { Ibm420, IBM420, &[], true, "IBM420", &["cp420", "ebcdic-cp-ar1", "csibm420", "osf100201a4"] }
charset! { Ibm423, IBM423, &[], true, "IBM423", &["cp423", "ebcdic-cp-gr", "csibm423"] }
charset! { Ibm424, IBM424, &[], true, "IBM424", &["cp424", "ebcdic-cp-he", "csibm424", "osf100201a8"] }
charset! { Ibm500, IBM500, &[], true, "IBM500", &["cp500", "500", "500v1", "ebcdic-cp-be", "ebcdic-cp-ch", "csibm500", "cp1084", "osf100201f4"] }
charset! { Ibm803, IBM803, &[], false, "IBM803", &["cp803", "csibm803"] }
charset! { Ibm870, IBM870, &[], true, "IBM870", &["cp870", "ebcdic-cp-roece", "ebcdic-cp-yu", "csibm870", "osf10020366"] }
charset! { Ibm871, IBM871, &[], true, "IBM871", &["cp871", "ebcdic-cp-is", "csibm871", "osf10020367"] }
charset! { Ibm875, IBM875, &[], false, "IBM875", &["cp875", "ebcdic-greek", "osf1002036b"] }
charset! { Ibm880, IBM880, &[], true, "IBM880", &["cp880", "ebcdic-cyrillic", "csibm880", "osf10020370"] }
charset! { Ibm905, IBM905, &[], true, "IBM905", &["cp905", "ebcdic-cp-tr", "csibm905"] }
charset! { Ibm918, IBM918, &[], true, "IBM918", &["cp918", "ebcdic-cp-ar2", "csibm918", "osf10020396"] }
charset! { Ibm1025, IBM1025, &[], false, "IBM1025", &["cp1025", "csibm1025"] }
charset! { Ibm1026, IBM1026, &[], true, "IBM1026", &["cp1026", "1026", "csibm1026", "osf10020402"] }
charset! { Ibm1047, IBM1047, &[], true, "IBM1047", &["cp1047", "1047", "osf10020417"] }
charset! { Ibm1097, IBM1097, &[], false, "IBM1097", &["cp1097", "csibm1097"] }
charset! { Ibm1112, IBM1112, &[], false, "IBM1112", &["cp1112", "csibm1112"] }
charset! { Ibm1122, IBM1122, &[], false, "IBM1122", &["cp1122", "csibm1122"] }
charset! { Ibm1123, IBM1123, &[], false, "IBM1123", &["cp1123", "csibm1123"] }
charset! { Ibm1130, IBM1130, &[], false, "IBM1130", &["cp1130", "csibm1130"] }
charset! { Ibm1132, IBM1132, tables::IBM1132_MORE, false, "IBM1132", &["cp1132", "csibm1132"] }
charset! { Ibm1137, IBM1137, &[], false, "IBM1137", &["cp1137", "csibm1137"] }
charset! { Ibm01140, IBM1140, &[], true, "IBM01140", &["cp1140", "csibm1140"] }
charset! { Ibm01141, IBM1141, &[], true, "IBM01141", &["cp1141", "csibm1141"] }
charset! { Ibm01142, IBM1142, &[], true, "IBM01142", &["cp1142", "csibm1142"] }
charset! { Ibm01143, IBM1143, &[], true, "IBM01143", &["cp1143", "csibm1143"] }
charset! { Ibm01144, IBM1144, &[], true, "IBM01144", &["cp1144", "csibm1144"] }
charset! { Ibm01145, IBM1145, &[], true, "IBM01145", &["cp1145", "csibm1145"] }
charset! { Ibm01146, IBM1146, &[], true, "IBM01146", &["cp1146", "csibm1146"] }
charset! { Ibm01147, IBM1147, &[], true, "IBM01147", &["cp1147", "csibm1147"] }
charset! { Ibm01148, IBM1148, &[], true, "IBM01148", &["cp1148", "csibm1148"] }
charset! { Ibm01149, IBM1149, &[], true, "IBM01149", &["cp1149", "csibm1149"] }
charset! { Ibm1153, IBM1153, &[], false, "IBM1153", &["cp1153", "csibm1153"] }
charset! { Ibm1154, IBM1154, &[], false, "IBM1154", &["cp1154", "csibm1154"] }
charset! { Ibm1155, IBM1155, &[], false, "IBM1155", &["cp1155", "csibm1155"] }
charset! { Ibm1156, IBM1156, &[], false, "IBM1156", &["cp1156", "csibm1156"] }
charset! { Ibm1157, IBM1157, &[], false, "IBM1157", &["cp1157", "csibm1157"] }
charset! { Ibm1158, IBM1158, &[], false, "IBM1158", &["cp1158", "csibm1158"] }
charset! { Ibm1160, IBM1160, tables::IBM1160_MORE, false, "IBM1160", &["cp1160", "csibm1160"] }
charset! { Ibm1164, IBM1164, &[], false, "IBM1164", &["cp1164", "csibm1164"] }
charset! { Ibm1166, IBM1166, &[], false, "IBM1166", &["cp1166", "csibm1166"] }
charset! { Ibm4517, IBM4517, &[], false, "IBM4517", &["cp4517", "csibm4517"] }
charset! { Ibm4899, IBM4899, &[], false, "IBM4899", &["cp4899", "csibm4899"] }
charset! { Ibm4971, IBM4971, &[], false, "IBM4971", &["cp4971", "csibm4971"] }
charset! { Ibm9030, IBM9030, tables::IBM9030_MORE, false, "IBM9030", &["cp9030", "csibm9030"] }
charset! { EbcdicAtDe, EBCDIC_AT_DE, &[], true, "EBCDIC-AT-DE", &["csebcdicatde"] }
charset! { EbcdicAtDeA, EBCDIC_AT_DE_A, &[], true, "EBCDIC-AT-DE-A", &["csebcdicatdea"] }
charset! { EbcdicCaFr, EBCDIC_CA_FR, &[], true, "EBCDIC-CA-FR", &["csebcdiccafr"] }
charset! { EbcdicDkNo, EBCDIC_DK_NO, &[], true, "EBCDIC-DK-NO", &["csebcdicdkno"] }
charset! { EbcdicDkNoA, EBCDIC_DK_NO_A, &[], true, "EBCDIC-DK-NO-A", &["csebcdicdknoa"] }
charset! { EbcdicEs, EBCDIC_ES, &[], true, "EBCDIC-ES", &["csebcdices"] }
charset! { EbcdicEsA, EBCDIC_ES_A, &[], true, "EBCDIC-ES-A", &["csebcdicesa"] }
charset! { EbcdicEsS, EBCDIC_ES_S, &[], true, "EBCDIC-ES-S", &["csebcdicess"] }
charset! { EbcdicFiSe, EBCDIC_FI_SE, &[], true, "EBCDIC-FI-SE", &["csebcdicfise"] }
charset! { EbcdicFiSeA, EBCDIC_FI_SE_A, &[], true, "EBCDIC-FI-SE-A", &["csebcdicfisea"] }
charset! { EbcdicFr, EBCDIC_FR, &[], true, "EBCDIC-FR", &["csebcdicfr"] }
charset! { EbcdicIsFriss, EBCDIC_IS_FRISS, &[], false, "EBCDIC-IS-FRISS", &[] }
charset! { EbcdicIt, EBCDIC_IT, &[], true, "EBCDIC-IT", &["csebcdicit"] }
charset! { EbcdicPt, EBCDIC_PT, &[], true, "EBCDIC-PT", &["csebcdicpt"] }
charset! { EbcdicUk, EBCDIC_UK, &[], true, "EBCDIC-UK", &["csebcdicuk"] }
charset! { EbcdicUs, EBCDIC_US, &[], true, "EBCDIC-US", &["csebcdicus"] }
charset! { Asmo449, ASMO_449, &[], true, "ASMO_449", &["iso_9036", "arabic7", "iso-ir-89", "csiso89asmo449"] }
charset! { Brf, BRF, &[], true, "BRF", &["csbrf"] }
charset! { Bs4730, BS_4730, &[], true, "BS_4730", &["iso-ir-4", "iso646-gb", "gb", "uk", "csiso4unitedkingdom"] }
charset! { CsaZ243_4_1985_1, CSA_Z243_4_1985_1, &[], true, "CSA_Z243.4-1985-1", &["iso-ir-121", "iso646-ca", "csa7-1", "ca", "csiso121canadian1"] }
charset! { CsaZ243_4_1985_2, CSA_Z243_4_1985_2, &[], true, "CSA_Z243.4-1985-2", &["iso-ir-122", "iso646-ca2", "csa7-2", "csiso122canadian2"] }
charset! { Csn369103, CSN_369103, &[], true, "CSN_369103", &["iso-ir-139", "csiso139csn369103"] }
charset! { Din66003, DIN_66003, &[], true, "DIN_66003", &["iso-ir-21", "de", "iso646-de", "csiso21german"] }
charset! { Ds2089, DS_2089, &[], true, "DS_2089", &["iso646-dk", "dk", "csiso646danish"] }
charset! { Es, ES, &[], true, "ES", &["iso-ir-17", "iso646-es", "csiso17spanish"] }
charset! { Es2, ES2, &[], true, "ES2", &["iso-ir-85", "iso646-es2", "csiso85spanish2"] }
charset! { Gb1988_80, GB_1988_80, &[], true, "GB_1988-80", &["iso-ir-57", "cn", "iso646-cn", "csiso58gb1988"] }
charset! { Gost19768_74, GOST_19768_74, &[], true, "GOST_19768-74", &["st_sev_358-88", "gost_19768", "iso-ir-153", "csiso153gost1976874"] }
charset! { GreekCcitt, GREEK_CCITT, &[], true, "greek-ccitt", &["iso-ir-150", "csiso150", "csiso150greekccitt"] }
charset! { Greek7, GREEK7, &[], true, "greek7", &["iso-ir-88", "csiso88greek7"] }
charset! { Greek7Old, GREEK7_OLD, &[], true, "greek7-old", &["iso-ir-18", "csiso18greek7old"] }
charset! { IecP27_1, IEC_P27_1, &[], true, "IEC_P27-1", &["iso-ir-143", "csiso143iecp271"] }
charset! { Inis, INIS, &[], true, "INIS", &["iso-ir-49", "csiso49inis"] }
charset! { Inis8, INIS_8, &[], true, "INIS-8", &["iso-ir-50", "csiso50inis8"] }
charset! { InisCyrillic, INIS_CYRILLIC, &[], true, "INIS-cyrillic", &["iso-ir-51", "csiso51iniscyrillic"] }
charset! { Iso10367Box, ISO_10367_BOX, &[], true, "ISO_10367-box", &["iso-ir-155", "csiso10367box"] }
charset! { Iso2033_1983, ISO_2033, &[], true, "ISO_2033-1983", &["iso_2033", "iso-ir-98", "e13b", "csiso2033"] }
charset! { Iso5427, ISO_5427, &[], true, "ISO_5427", &["iso-ir-37", "koi-7", "csiso5427cyrillic"] }
charset! { Iso5427_1981, ISO_5427_EXT, &[], true, "ISO_5427:1981", &["iso_5427-ext", "iso-ir-54", "csiso5427cyrillic1981"] }
charset! { Iso5428_1980, ISO_5428, &[], true, "ISO_5428:1980", &["iso_5428", "iso-ir-55", "csiso5428greek"] }
charset! { It, IT, &[], true, "IT", &["iso-ir-15", "iso646-it", "csiso15italian"] }
charset! { JisC6220_1969Ro, JIS_C6220_1969_RO, &[], true, "JIS_C6220-1969-ro", &["iso-ir-14", "jp", "iso646-jp", "csiso14jisc6220ro"] }
charset! { JisC6229_1984B, JIS_C6229_1984_B, &[], true, "JIS_C6229-1984-b", &["iso-ir-92", "iso646-jp-ocr-b", "jp-ocr-b", "csiso92jisc62991984b"] }
charset! { JusIB1_002, JUS_I_B1_002, &[], true, "JUS_I.B1.002", &["iso-ir-141", "iso646-yu", "js", "yu", "csiso141jusib1002"] }
charset! { Ksc5636, KSC5636, &[], true, "KSC5636", &["iso646-kr", "csksc5636"] }
charset! { LatinGreek, LATIN_GREEK, &[], true, "latin-greek", &["iso-ir-19", "csiso19latingreek"] }
charset! { LatinGreek1, LATIN_GREEK_1, &[], true, "Latin-greek-1", &["iso-ir-27", "csiso27latingreek1"] }
charset! { Msz7795_3, MSZ_7795_3, &[], true, "MSZ_7795.3", &["iso-ir-86", "iso646-hu", "hu", "csiso86hungarian"] }
charset! { NatsDano, NATS_DANO, &[], true, "NATS-DANO", &["iso-ir-9-1", "csnatsdano"] }
charset! { NatsSefi, NATS_SEFI, &[], true, "NATS-SEFI", &["iso-ir-8-1", "csnatssefi"] }
charset! { NcNc00_10_81, NC_NC00_10, &[], true, "NC_NC00-10:81", &["nc_nc00-10", "cuba", "iso-ir-151", "iso646-cu", "csiso151cuba", "nc_nc0010"] }
charset! { NfZ62_010, NF_Z_62_010, &[], true, "NF_Z_62-010", &["iso-ir-69", "iso646-fr", "fr", "csiso69french"] }
charset! { NfZ62_010_1973, NF_Z_62_010_1973, &[], true, "NF_Z_62-010_(1973)", &["iso-ir-25", "iso646-fr1", "csiso25french"] }
charset! { Ns4551_1, NS_4551_1, &[], true, "NS_4551-1", &["iso-ir-60", "iso646-no", "no", "csiso60danishnorwegian", "csiso60norwegian1"] }
charset! { Ns4551_2, NS_4551_2, &[], true, "NS_4551-2", &["iso646-no2", "iso-ir-61", "no2", "csiso61norwegian2"] }
charset! { Pt, PT, &[], true, "PT", &["iso-ir-16", "iso646-pt", "csiso16portugese"] }
charset! { Pt2, PT2, &[], true, "PT2", &["iso-ir-84", "iso646-pt2", "csiso84portuguese2"] }
charset! { Sen850200B, SEN_850200_B, &[], true, "SEN_850200_B", &["iso-ir-10", "fi", "iso646-fi", "iso646-se", "se", "csiso10swedish", "ss636127"] }
charset! { Sen850200C, SEN_850200_C, &[], true, "SEN_850200_C", &["iso-ir-11", "iso646-se2", "se2", "csiso11swedishfornames"] }
charset! { Windows1250Glibc, CP1250, &[], false, "windows-1250/glibc", &["CP1250/glibc", "ms-ee"] }
charset! { Windows1251Glibc, CP1251, &[], false, "windows-1251/glibc", &["CP1251/glibc", "ms-cyrl"] }
charset! { Windows1252Glibc, CP1252, &[], false, "windows-1252/glibc", &["CP1252/glibc", "ms-ansi"] }
charset! { Windows1253Glibc, CP1253, &[], false, "windows-1253/glibc", &["CP1253/glibc", "ms-greek"] }
charset! { Windows1254Glibc, CP1254, &[], false, "windows-1254/glibc", &["CP1254/glibc", "ms-turk"] }
charset! { Windows1257Glibc, CP1257, &[], false, "windows-1257/glibc", &["CP1257/glibc", "winbaltrim"] }
charset! { Iso8859_9Glibc, ISO_8859_9, &[], false, "ISO-8859-9/glibc", &["8859_9", "ibm920", "cp920", "ts-5881", "ecma-128", "osf00010009"] }
charset! { Iso8859_11Glibc, ISO_8859_11, &[], false, "ISO-8859-11/glibc", &["hp-thai8", "thai8"] }
charset! { Tis620Glibc, TIS_620, &[], false, "TIS-620/glibc", &["tis620-0", "tis620.2529-1", "tis620.2533-0", "iso-ir-166"] }
charset! { Koi8UGlibc, KOI8_U, &[], false, "KOI8-U/glibc", &[] }
charset! { MacintoshGlibc, MACINTOSH, &[], false, "macintosh/glibc", &[] }
