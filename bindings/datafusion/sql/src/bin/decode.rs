//! Decode a column of binary data in DataFusion.

use datafusion::error::Result;
use datafusion::prelude::SessionContext;

#[tokio::main]
async fn main() -> Result<()> {
    let mut context = SessionContext::new();
    utfall_datafusion::register_all(&mut context)?;
    let query = "SELECT data, utf_decode(data, 'Shift_JIS', 'null') AS text,
                        utf_problem(data, 'Shift_JIS')['message'] AS problem
                 FROM (VALUES (X'938C8B9E'), (X'FF'), (NULL)) AS rows(data)";
    context.sql(query).await?.show().await
}
