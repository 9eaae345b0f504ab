import VarveEncoding
import VarveJSONLines

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
/// versions were skipped, at least in part. Values are those of `varve export`, except that mixed
/// values have no types, and that collections are
/// `{"count":…,"deletions":…,"insertions":…,"modifications":…}`.
struct JSONReport: ReportFormat {
  private var text = ""

  mutating func start(_ path: String, at version: UInt64, _ classNames: [String]) {
    append {
      $0.member("version", version)
      $0.member("change", "start")
      $0.member("path", path)
      $0.array("classes", classNames)
    }
  }

  mutating func gap(_ versions: VersionPair) {
    append {
      $0.member(versions)
      $0.member("change", "gap")
    }
  }

  mutating func add(_ report: ObjectReport, _ versions: VersionPair?) {
    append { json in
      if let versions { json.member(versions) }
      json.member("class", report.className)
      json.member("change", report.kind.rawValue)
      json.identity(report.primaryKey, report.objectID)
      json.member("properties")
      json.object { json in
        for property in report.properties {
          json.member(property.name)
          json.object {
            if let old = property.old { $0.member("old", old) }
            if let new = property.new { $0.member("new", new) }
          }
        }
      }
    }
  }

  mutating func takeLines(isEnd: Bool) -> String {
    defer { text = "" }
    return text
  }

  private mutating func append(_ body: (inout JSONWriter) -> Void) {
    text += JSONWriter.object(body) + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ versions: VersionPair) {
    member("version", versions.new)
    member("since", versions.old)
  }

  fileprivate mutating func member(_ name: String, _ value: ReportedValue) {
    member(name)
    switch value {
    case .value(let value): JSONScalar.write(value, to: &self)
    case .json(let text): raw(text)
    case .object(let className, let key, let id):
      object {
        $0.member("class", className)
        $0.identity(key, id)
      }
    case .collection(let summary):
      object {
        $0.member("count", summary.count)
        $0.member("deletions", summary.deletions)
        $0.member("insertions", summary.insertions)
        $0.member("modifications", summary.modifications)
      }
    }
  }
}
