import VarveCore
import VarveEncoding

/// Change sets for people: a line for each change set, followed by one for each object.
struct TextReport: ReportFormat {
  /// The number of lines that are aligned with one another.
  private static let blockSize = 500

  private let terminal: Terminal
  private var lines: [String] = []
  private var table = TextReport.emptyTable
  /// The change set whose first line was written.
  private var begun: VersionPair?

  init(_ terminal: Terminal) { self.terminal = terminal }

  private static var emptyTable: TextTable {
    TextTable([.init(title: ""), .init(title: ""), .init(title: ""), .init(title: "")])
  }

  mutating func start(_ path: String, at version: UInt64, _ classNames: [String]) {
    let classes =
      classNames.isEmpty ? "no class yet" : classNames.map(\.printable).joined(separator: ", ")
    lines.append(
      "watching \(path.printable) from version \(Quantity.count(Int(clamping: version))): \(classes)"
    )
  }

  mutating func gap(_ versions: VersionPair) {
    begun = nil
    lines.append("\(Self.title(versions)): skipped, because the output was not read")
  }

  mutating func add(_ report: ObjectReport, _ versions: VersionPair?) {
    if let versions, begun != versions {
      begun = versions
      lines.append(Self.title(versions))
    }
    table.append([
      report.className.printable, report.kind.rawValue, report.key,
      report.properties.map(\.text).joined(separator: ", "),
    ])
    if table.rows.count >= Self.blockSize { endBlock() }
  }

  private mutating func endBlock() {
    lines += table.lines().map(terminal.fit)
    table = Self.emptyTable
  }

  mutating func takeLines(isEnd: Bool) -> String {
    if isEnd {
      endBlock()
      begun = nil
    }
    defer { lines = [] }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func title(_ versions: VersionPair) -> String {
    let new = Quantity.count(Int(clamping: versions.new))
    guard versions.new > versions.old &+ 1 else { return "version \(new)" }
    return "versions \(Quantity.count(Int(clamping: versions.old + 1))) to \(new)"
  }
}

extension ObjectReport {
  /// The primary key, or the object's id in the file.
  fileprivate var key: String { primaryKey?.text.printable ?? "#\(objectID)" }
}

extension ObjectReport.Property {
  fileprivate var text: String {
    let name = name.printable
    guard let new else { return "\(name): \(old?.text ?? "")" }
    // The summary of a changed collection contains the changes.
    if case .collection = new { return "\(name): \(new.text)" }
    guard let old else { return "\(name): \(new.text)" }
    return "\(name): \(old.text) → \(new.text)"
  }
}
