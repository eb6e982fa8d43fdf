//! Queries.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};

fn context() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(4);
    let mut context = SessionContext::new_with_config(config);
    utfall_datafusion::register_all(&mut context).unwrap();
    context
}

async fn batch(context: &SessionContext, query: &str) -> Result<RecordBatch> {
    let frame = context.sql(query).await?;
    let schema = Arc::new(frame.schema().as_arrow().clone());
    Ok(concat_batches(&schema, &frame.collect().await?)?)
}

/// The cells of the result, `NULL` for null.
async fn cells(context: &SessionContext, query: &str) -> Result<Vec<Vec<String>>> {
    let found = batch(context, query).await?;
    let cell = |column: &ArrayRef, row| match column.is_null(row) {
        true => "NULL".to_owned(),
        false => array_value_to_string(column, row).unwrap(),
    };
    let rows = 0..found.num_rows();
    Ok(rows.map(|row| found.columns().iter().map(|column| cell(column, row)).collect()).collect())
}

async fn one(query: &str) -> String {
    let found = cells(&context(), query).await.expect(query);
    assert_eq!((found.len(), found[0].len()), (1, 1), "{query}: {found:?}");
    found[0][0].clone()
}

async fn error(query: &str) -> String {
    let found = cells(&context(), query).await;
    found.expect_err(query).to_string()
}

/// A table with a column `b`, in two partitions with several batches each.
fn register(context: &SessionContext, name: &str, column: &ArrayRef) {
    let whole =
        RecordBatch::try_from_iter_with_nullable([("b", Arc::clone(column), true)]).unwrap();
    let middle = column.len() / 2;
    let pieces = |start: usize, end: usize| -> Vec<RecordBatch> {
        let step = 1000;
        let starts = (start..end).step_by(step);
        starts.map(|start| whole.slice(start, step.min(end - start))).collect()
    };
    let partitions = vec![pieces(0, middle), pieces(middle, column.len())];
    let table = MemTable::try_new(whole.schema(), partitions).unwrap();
    context.register_table(name, Arc::new(table)).unwrap();
}

#[tokio::test]
async fn constants() {
    for (call, expected) in [
        ("utf_valid(X'C3A9')", "true"),
        ("utf_valid('é', 'us-ascii')", "false"),
        ("utf_decode(X'938C8B9E', 'Shift_JIS')", "東京"),
        ("utf_decode('abc', 'utf-8')", "abc"),
        ("utf_decode(X'61FF', 'utf-8', 'replace')", "a\u{FFFD}"),
        ("utf_encode('10 €', 'windows-1252')", "31302080"),
        ("utf_encode('10 €', 'latin1', 'null')", "NULL"),
        ("utf_transcode(X'93FA967B', 'shift_jis', 'euc-jp')", "c6fccbdc"),
        ("utf_detect(X'EFBBBFC3A9')['encoding']", "UTF-8"),
        ("utf_problem(X'610AC0AE', 'utf-8')['line']", "2"),
        ("utf_problem(X'61', 'utf-8')", "NULL"),
        ("utf_repair('dÃ©jÃ\u{A0} vu')", "déjà vu"),
        ("utf_decode(NULL, 'utf-8')", "NULL"),
        ("utf_decode(X'61', NULL)", "NULL"),
        ("utf_valid(NULL)", "NULL"),
    ] {
        assert_eq!(one(&format!("SELECT {call}")).await, expected, "{call}");
        // Not folded by the optimizer.
        let query =
            format!("SELECT DISTINCT {call} FROM (VALUES (1), (2), (3)) AS t(i) WHERE i > 1");
        assert_eq!(one(&query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn errors() {
    let message = error("SELECT utf_decode(X'636166E9', 'utf-8')").await;
    assert!(
        message.contains("utf_decode: ") && message.contains("at byte 3 (line 1, column 4)"),
        "{message}"
    );
    let message = error("SELECT utf_encode('a', 'utf-9')").await;
    assert!(message.contains("unknown encoding \"utf-9\"; did you mean \"UTF-8\""), "{message}");
    let message = error("SELECT utf_decode(1, 'utf-8')").await;
    assert!(message.contains("bytes must be binary data or text, not Int64"), "{message}");
    let message = error("SELECT utf_decode(X'61')").await;
    assert!(message.contains("expected utf_decode(bytes, encoding [, on_error])"), "{message}");
}

#[tokio::test]
async fn one_bad_value_in_the_middle() {
    let values: Vec<Vec<u8>> = (0..10_000)
        .map(|i| if i == 5000 { b"a\n\xC3(".to_vec() } else { format!("é{i}").into_bytes() })
        .collect();
    let array: ArrayRef = Arc::new(BinaryArray::from_iter_values(&values));
    for data_type in [DataType::Binary, DataType::LargeBinary, DataType::BinaryView] {
        let context = context();
        register(&context, "t", &cast(&array, &data_type).unwrap());
        let failed = batch(&context, "SELECT utf_decode(b, 'utf-8') FROM t").await;
        let message = failed.unwrap_err().to_string();
        assert!(message.contains("at byte 2 (line 2, column 1): RFC 3629"), "{message}");
        let counts = "SELECT count(*), count(utf_decode(b, 'utf-8', 'null')), \
                      count(DISTINCT utf_decode(b, 'utf-8', 'replace')) FROM t";
        assert_eq!(cells(&context, counts).await.unwrap(), [["10000", "9999", "10000"]]);
        let wrong = "SELECT utf_problem(b, 'utf-8')['line'], utf_decode(b, 'utf-8', 'escape') FROM t \
                     WHERE NOT utf_valid(b)";
        assert_eq!(cells(&context, wrong).await.unwrap(), [["2", "a\n\\xc3("]]);
        // The invalid value is not decoded here.
        let guarded = "SELECT count(CASE WHEN utf_valid(b) THEN utf_decode(b, 'utf-8') END) FROM t";
        assert_eq!(cells(&context, guarded).await.unwrap(), [["9999"]]);
    }
}

#[tokio::test]
async fn columns_of_text() {
    let values: Vec<_> =
        (0..3000).map(|i| (i % 5 != 2).then(|| format!("Zoë {}", i % 7))).collect();
    let array: ArrayRef = Arc::new(StringArray::from(values));
    let dictionary = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
    for data_type in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, dictionary] {
        let context = context();
        register(&context, "t", &cast(&array, &data_type).unwrap());
        let same = "SELECT count(*), count(b) FROM t \
                    WHERE b IS NULL OR utf_decode(utf_encode(b, 'latin1'), 'latin1') = b";
        assert_eq!(cells(&context, same).await.unwrap(), [["3000", "2400"]], "{data_type}");
        let groups =
            "SELECT utf_encode(b, 'latin1') AS e, count(*) FROM t GROUP BY 1 ORDER BY 1 LIMIT 1";
        let found = batch(&context, groups).await.unwrap();
        let first = cast(found.column(0), &DataType::Binary).unwrap();
        assert_eq!(first.as_binary::<i32>().value(0), b"Zo\xEB 0", "{data_type}");
    }
}

#[tokio::test]
async fn an_encoding_for_each_row() {
    let query = "SELECT utf_decode(b, e) FROM (VALUES (X'E9', 'latin1'), (X'C3A9', 'utf-8'), (X'E900', 'utf-16le'), \
                 (NULL, 'utf-8'), (X'E9', NULL)) AS t(b, e)";
    let found = cells(&context(), query).await.unwrap();
    assert_eq!(found, [["é"], ["é"], ["é"], ["NULL"], ["NULL"]]);
}

#[tokio::test]
async fn the_guess_decodes() {
    let query = "SELECT g['encoding'], utf_decode(b, g['encoding']) FROM \
                 (SELECT b, utf_detect(b) AS g FROM (VALUES (X'FFFEE9003B00'), (X'C3A93B')) AS t(b))";
    let found = cells(&context(), query).await.unwrap();
    assert_eq!(found, [["UTF-16LE", "é;"], ["UTF-8", "é;"]]);
}
