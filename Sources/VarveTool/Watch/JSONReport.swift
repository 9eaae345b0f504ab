import Foundation
import VarveEncoding

/// Change sets for programs: JSON Lines, one object a line.
///
/// The first line has `change` `start`, and the version and the classes. It is followed by one line
/// for each object:
///
/// ```json
/// {"version":13,"since":12,"class":"Dog","change":"modified","key":"Rex","properties":{"age":{"old":3,"new":4}}}
/// ```
///
/// An object of a class without a primary key has an `id` in place of the `key`. `since` is the
/// version of the `old` values. A line with `change` `gap` reports that the commits between the two
/// versions were skipped, at least in part. Data are Base64, dates ISO 8601, numbers that JSON
/// cannot represent are strings (`"nan"`), linked objects `{"class":…,"key":…}`, collections
/// `{"count":…,"deletions":…,"insertions":…,"modifications":…}`.
struct JSONReport: ReportFormat {
  private var text = ""

  mutating func start(_ path: String, at version: UInt64, _ classNames: [String]) {
    append([
      ("version", "\(version)"), ("change", "start".json), ("path", path.json),
      ("classes", "[\(classNames.map(\.json).joined(separator: ","))]"),
    ])
  }

  mutating func gap(_ versions: VersionPair) {
    append([
      ("version", "\(versions.new)"), ("since", "\(versions.old)"), ("change", "gap".json),
    ])
  }

  mutating func add(_ report: ObjectReport, _ versions: VersionPair?) {
    let properties = report.properties.map { property in
      var sides: [(String, String)] = []
      if let old = property.old { sides.append(("old", old.json)) }
      if let new = property.new { sides.append(("new", new.json)) }
      return (property.name, sides.json)
    }
    let version = versions.map { [("version", "\($0.new)"), ("since", "\($0.old)")] } ?? []
    append(
      version + [
        ("class", report.className.json), ("change", report.kind.rawValue.json),
        Self.identity(report.primaryKey, report.objectID), ("properties", properties.json),
      ])
  }

  mutating func takeLines(isEnd: Bool) -> String {
    defer { text = "" }
    return text
  }

  /// Returns the primary key, or the object's id in the file if it has none.
  fileprivate static func identity(_ key: Value?, _ id: UInt64) -> (String, String) {
    key.map { ("key", $0.json) } ?? ("id", "\(id)")
  }

  private mutating func append(_ members: [(String, String)]) { text += members.json + "\n" }
}

extension [(String, String)] {
  /// A JSON object with these names and values.
  var json: String {
    "{" + map { "\($0.0.json):\($0.1)" }.joined(separator: ",") + "}"
  }
}

extension String {
  /// The text as a JSON string.
  var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension ReportedValue {
  fileprivate var json: String {
    switch self {
    case .value(let value): value.json
    case .json(let text): text
    case .object(let className, let key, let id):
      [("class", className.json), JSONReport.identity(key, id)].json
    case .collection(let summary):
      [
        ("count", "\(summary.count)"), ("deletions", "\(summary.deletions)"),
        ("insertions", "\(summary.insertions)"), ("modifications", "\(summary.modifications)"),
      ].json
    }
  }
}

extension Value {
  /// The value as JSON.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): value.isFinite ? "\(value)" : "\(value)".json
    case .double(let value): value.isFinite ? "\(value)" : "\(value)".json
    case .string(let value): value.json
    case .data(let value): value.base64EncodedString().json
    case .date(let value): value.json
    case .uuid(let value): value.uuidString.json
    case .objectId(let value): "\(value)".json
    case .decimal(let value): value.isFinite ? "\(value)" : "\(value)".json
    case .link(let classID, let objectID):
      [("classID", "\(classID)"), ("id", "\(objectID)")].json
    case .nested(let kind, let slot):
      [("kind", "\(kind)".json), ("collectionID", "\(slot.id)")].json
    }
  }
}

extension Date {
  /// ISO 8601 with milliseconds. Dates outside that range are the seconds since 1970, as a number
  /// or as text.
  fileprivate var json: String {
    let seconds = timeIntervalSince1970
    guard (-62_135_596_800.0..<253_402_300_800.0).contains(seconds) else {
      return seconds.isFinite ? "\(seconds)" : "\(seconds)".json
    }
    return formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).json
  }
}
