//! Long texts in the charsets of East Asia: news and prose, whose characters differ from those of
//! programs.

use std::fs;
use std::path::Path;

use utfall::{Encoding, Options, Policy};
use utfall_detect::{Hints, Language, detect, detect_with};

const TRADITIONAL: [&str; 2] = [
    // The beginning of the Romance of the Three Kingdoms.
    "話說天下大勢，分久必合，合久必分。周末七國分爭，并入於秦。及秦滅之後，楚、漢分爭，又并入於漢。漢朝自高祖斬白蛇而\
     起義，一統天下。後來光武中興，傳至獻帝，遂分為三國。推其致亂之由，殆始於桓、靈二帝。桓帝禁錮善類，崇信宦官。及\
     桓帝崩，靈帝即位，大將軍竇武、太傅陳蕃共相輔佐。時有宦官曹節等弄權，竇武、陳蕃謀誅之，作事不密，反為所害。中涓\
     自此愈橫。建寧二年四月望日，帝御溫德殿。方陞座，殿角狂風驟起，只見一條大青蛇，從梁上飛將下來，蟠於椅上。帝驚倒，\
     左右急救入宮，百官俱奔避。須臾，蛇不見了。忽然大雷大雨，加以冰雹，落到半夜方止，壞卻房屋無數。\n",
    "高雄港務公司昨日表示，受颱風外圍環流影響，兩艘貨櫃輪延後進港，預計明晚才能靠泊卸貨。漁民擔心風浪過大，紛紛將漁船\
     駛回避風港。教育局宣布，沿海三個行政區的國中小學今天停課一天。農業單位估計，香蕉與芒果的損失約有兩千萬元，將協助\
     果農申請補助。另外，昨晚舉行的職業籃球總決賽，主隊在延長賽以九十八比九十五險勝，球迷在場外燃放煙火慶祝，警方出動\
     百餘人維持秩序，所幸沒有人受傷。\n",
];
const SIMPLIFIED: [&str; 2] = [
    "话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。及秦灭之后，楚、汉分争，又并入于汉。汉朝自高祖斩白蛇而\
     起义，一统天下。后来光武中兴，传至献帝，遂分为三国。推其致乱之由，殆始于桓、灵二帝。桓帝禁锢善类，崇信宦官。及\
     桓帝崩，灵帝即位，大将军窦武、太傅陈蕃共相辅佐。时有宦官曹节等弄权，窦武、陈蕃谋诛之，作事不密，反为所害。\n",
    "青岛港昨日表示，受台风外围环流影响，两艘集装箱货轮推迟进港，预计明晚才能靠泊卸货。渔民担心风浪过大，纷纷将渔船\
     驶回避风港。教育局宣布，沿海三个区的中小学今天停课一天。农业部门估计，苹果和樱桃的损失约有两千万元，将协助果农\
     申请补贴。另外，昨晚举行的篮球总决赛，主队在加时赛以九十八比九十五险胜，球迷在场外燃放烟花庆祝，没有人受伤。\n",
];
const JAPANESE: [&str; 2] = [
    // The beginning of I Am a Cat, by Natsume Soseki.
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた\
     事だけは記憶している。吾輩はここで始めて人間というものを見た。しかもあとで聞くとそれは書生という人間中で一番獰悪な\
     種族であったそうだ。この書生というのは時々我々を捕えて煮て食うという話である。しかしその当時は何という考もなかった\
     から別段恐しいとも思わなかった。\n",
    "気象庁によると、台風は今夜遅く九州南部に上陸する見込みで、鹿児島県では沿岸の住民およそ三万人に避難指示が出された。\
     漁港では船を陸に揚げる作業が続き、空の便は午後から欠航が相次いでいる。農家は収穫前の梨や葡萄への被害を心配している。\
     一方、昨日の高校野球決勝は延長十二回、五対四で地元校が優勝した。\n",
];
const KOREAN: [&str; 2] = [
    // The beginning of Azaleas, by Kim Sowol, and of When Buckwheat Flowers Bloom, by Lee Hyo-seok.
    "나 보기가 역겨워 가실 때에는 말없이 고이 보내 드리우리다. 영변에 약산 진달래꽃 아름 따다 가실 길에 뿌리우리다. \
     가시는 걸음 걸음 놓인 그 꽃을 사뿐히 즈려밟고 가시옵소서. 여름 장이란 애시당초에 글러서 해는 아직 중천에 있건만 \
     장판은 벌써 쓸쓸하고 더운 햇발이 벌여놓은 전 휘장 밑으로 등줄기를 훅훅 볶는다.\n",
    "기상청은 태풍의 영향으로 오늘 밤부터 제주도와 남해안에 많은 비가 내리겠다고 예보했다. 부산항에서는 화물선 두 척의 \
     입항이 늦어졌고, 어민들은 배를 항구로 옮기느라 분주했다. 과수 농가는 수확을 앞둔 배와 포도가 떨어질까 걱정하고 있다. \
     어젯밤 프로야구 결승전에서는 홈팀이 연장 끝에 다섯 대 넷으로 이겨 우승을 차지했다.\n",
];

/// Each language, its texts and its charsets.
fn languages() -> [(&'static str, [&'static str; 2], &'static [Encoding]); 4] {
    use Encoding as E;
    [
        #[cfg(feature = "cns")]
        ("zh-hant", TRADITIONAL, &[E::Big5, E::EucTw]),
        #[cfg(not(feature = "cns"))]
        ("zh-hant", TRADITIONAL, &[E::Big5]),
        #[cfg(feature = "cns")]
        ("zh-hans", SIMPLIFIED, &[E::Gbk, E::Gb18030, E::Hz, E::Iso2022Cn]),
        #[cfg(not(feature = "cns"))]
        ("zh-hans", SIMPLIFIED, &[E::Gbk, E::Gb18030, E::Hz]),
        ("ja", JAPANESE, &[E::ShiftJis, E::EucJp, E::Iso2022Jp]),
        ("ko", KOREAN, &[E::EucKr, E::Johab, E::Iso2022Kr]),
    ]
}

fn encoded(charset: Encoding, text: &str) -> Vec<u8> {
    charset.encode_with(text, Options::both(Policy::Skip)).unwrap().into_owned()
}

fn is_found(bytes: &[u8], hints: &Hints, charset: Encoding) {
    let best = detect_with(bytes, hints).into_iter().next();
    let best = best.unwrap_or_else(|| panic!("{charset}, {hints:?}: no text"));
    let text = |encoding: Encoding| encoding.decode_lossy(bytes).text;
    assert_eq!(text(best.encoding), text(charset), "{charset}, {hints:?}: {best:?}");
    assert!(best.confidence >= 0.9, "{charset}, {hints:?}: {best:?}");
}

/// The longer a text, the less its charset is in doubt.
#[test]
fn long_texts_are_recognized() {
    for (language, texts, charsets) in languages() {
        let path = format!("tests/texts/{language}.txt");
        let own = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        for text in [texts[0], texts[1], &texts.concat(), &own, &texts.concat().repeat(20)] {
            for charset in charsets {
                is_found(&encoded(*charset, text), &Hints::default(), *charset);
            }
        }
    }
}

#[test]
fn hints_do_not_make_text_binary() {
    for (language, texts, charsets) in languages() {
        for charset in charsets {
            let bytes = encoded(*charset, &texts.concat());
            let of_language = Hints::default().with_language(Language::for_tag(language));
            is_found(&bytes, &of_language, *charset);
            let expected = vec![Encoding::Big5, Encoding::Gbk, *charset];
            is_found(&bytes, &Hints::default().with_expected(expected), *charset);
        }
    }
}

/// A part of a text of any length from some sentences on is text.
#[test]
fn cuts_are_recognized() {
    for (_, texts, charsets) in languages() {
        for charset in charsets {
            for text in texts {
                let scalars: Vec<char> = text.chars().collect();
                for length in (60..scalars.len()).step_by(16) {
                    let cut: String = scalars[..length].iter().collect();
                    let bytes = encoded(*charset, &cut);
                    let best = detect(&bytes).into_iter().next().unwrap();
                    assert!(best.confidence >= 0.5, "{charset}, {length}: {best:?}");
                    let read = best.encoding.decode_lossy(&bytes).text;
                    assert_eq!(read, charset.decode_lossy(&bytes).text, "{charset}, {length}");
                }
            }
        }
    }
}
