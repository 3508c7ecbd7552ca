//! Writes a table as a spreadsheet: Office Open XML (ECMA-376), one sheet with a frozen header row.
//! Texts are inline strings, which are never interpreted as formulas.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::Value;

use super::table::Table;

/// Maximum length of a cell, in characters.
const TEXT_CHARS_MAX: usize = 32_767;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// Returns the file.
///
/// # Errors
/// Fails only if memory cannot be allocated.
pub fn xlsx(table: &Table) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut file);
    for (name, text) in parts(table) {
        let new = archive.new_file(name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = new.start().map_err(io::Error::other)?;
        let encoder = DeflateEncoder::new(&mut entry, Compression::fast());
        let mut writer = config.wrap(encoder);
        writer.write_all(text.as_bytes())?;
        let (encoder, descriptor) = writer.finish().map_err(io::Error::other)?;
        encoder.finish()?;
        entry.finish(descriptor).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)?;
    Ok(file)
}

/// Parts of the file.
fn parts(table: &Table) -> [(&'static str, String); 5] {
    let types = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Override PartName=\"/xl/workbook.xml\" ContentType=\"{TYPE}.sheet.main+xml\"/>\
         <Override PartName=\"/xl/worksheets/sheet1.xml\" \
         ContentType=\"{TYPE}.worksheet+xml\"/></Types>"
    );
    let relation = |kind: &str, target: &str| {
        format!(
            "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" \
             Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let book = format!(
        "{HEAD}<workbook xmlns=\"{SHEET}\" xmlns:r=\"{OFFICE}\"><sheets>\
         <sheet name=\"Flagship\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    [
        ("[Content_Types].xml", types),
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
        ("xl/worksheets/sheet1.xml", sheet(table)),
    ]
}

fn sheet(table: &Table) -> String {
    let mut xml = format!(
        "{HEAD}<worksheet xmlns=\"{SHEET}\"><sheetViews><sheetView workbookViewId=\"0\">\
         <pane ySplit=\"1\" topLeftCell=\"A2\" state=\"frozen\"/></sheetView></sheetViews>\
         <sheetData><row>"
    );
    table.columns.iter().for_each(|name| text(&mut xml, name));
    xml += "</row>";
    for row in &table.rows {
        xml += "<row>";
        row.iter().for_each(|value| cell(&mut xml, value));
        xml += "</row>";
    }
    xml + "</sheetData></worksheet>"
}

fn cell(xml: &mut String, value: &Value) {
    match value {
        Value::Null => *xml += "<c/>",
        Value::Bool(is_so) => *xml += &format!("<c t=\"b\"><v>{}</v></c>", u8::from(*is_so)),
        Value::Number(number) => *xml += &format!("<c><v>{number}</v></c>"),
        Value::String(it) => text(xml, it),
        other => text(xml, &other.to_string()),
    }
}

/// Appends a text cell. Characters that XML does not allow are dropped. Sequences that spreadsheets
/// would unescape, such as `_x0041_`, are escaped.
fn text(xml: &mut String, text: &str) {
    *xml += "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">";
    for (at, next) in text.char_indices().take(TEXT_CHARS_MAX) {
        match next {
            '&' => *xml += "&amp;",
            '<' => *xml += "&lt;",
            '>' => *xml += "&gt;",
            '\r' => *xml += "&#13;",
            '_' if is_escape(&text.as_bytes()[at..]) => *xml += "_x005F_",
            '\t' | '\n' => xml.push(next),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => xml.push(next),
        }
    }
    *xml += "</t></is></c>";
}

/// True if the text starts with `_xHHHH_`.
fn is_escape(text: &[u8]) -> bool {
    let [b'_', b'x', digits @ .., b'_'] = text.get(..7).unwrap_or_default() else { return false };
    digits.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::bufread::DeflateDecoder;
    use rawzip::ZipArchive;
    use serde_json::json;

    use super::*;

    /// Names and contents of the parts of a file.
    fn read(file: &[u8]) -> Vec<(String, String)> {
        let archive = ZipArchive::from_slice(file).expect("it is an archive");
        let mut entries = archive.entries();
        let mut read = Vec::new();
        while let Some(entry) = entries.next_entry().expect("it is whole") {
            let name = entry.file_path().try_normalize().expect("a plain path");
            let local = archive.get_entry(entry.wayfinder()).expect("it is there");
            let mut text = String::new();
            let decoder = DeflateDecoder::new(local.data());
            local.verifying_reader(decoder).read_to_string(&mut text).expect("its sum is right");
            read.push((name.as_ref().to_owned(), text));
        }
        read
    }

    #[test]
    fn a_sheet_has_each_value_and_no_formula() {
        let nasty = "=1+1 <a&b> \u{0}\u{1b}_x0041_ _x_ é😀\r\n";
        let row = vec![json!(nasty), json!(-1.5), Value::Null, json!(true), json!(["a"])];
        let file = xlsx(&Table::new(&["a", "b", "c", "d", "e"], [row])).expect("memory takes all");
        let parts = read(&file);
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        let expected = [
            "[Content_Types].xml",
            "_rels/.rels",
            "xl/workbook.xml",
            "xl/_rels/workbook.xml.rels",
            "xl/worksheets/sheet1.xml",
        ];
        assert_eq!(names, expected);
        let text = |it: &str| {
            format!("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">{it}</t></is></c>")
        };
        let heads: String = ["a", "b", "c", "d", "e"].map(text).concat();
        let cells = text("=1+1 &lt;a&amp;b&gt; _x005F_x0041_ _x_ é😀&#13;\n")
            + "<c><v>-1.5</v></c><c/><c t=\"b\"><v>1</v></c>"
            + &text("[\"a\"]");
        let rows = format!("<sheetData><row>{heads}</row><row>{cells}</row></sheetData>");
        assert!(parts[4].1.contains(&rows), "{}", parts[4].1);
    }
}
