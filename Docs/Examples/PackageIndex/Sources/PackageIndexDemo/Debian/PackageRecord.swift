/// What the demo keeps of one package of a Debian index.
struct PackageRecord: Equatable, Sendable {
  var name: String
  var version: String
  var architecture: String
  var summary: String
  var section: String
  var homepage: String?
  var maintainer: MaintainerField
  var tags: [String]

  /// In bytes; 0 where the index does not say.
  var installedSize: Int

  /// In bytes.
  var downloadSize: Int

  /// The fields `Pre-Depends` and `Depends` as they are written.
  var dependencyText: String

  /// By algorithm: `MD5`, `SHA256`, ….
  var checksums: [String: String]

  /// The fields that ``init(_:)`` reads, for a parser that drops the others.
  static let fields = [
    "Package", "Version", "Architecture", "Description", "Section", "Homepage", "Maintainer",
    "Tag", "Installed-Size", "Size", "Pre-Depends", "Depends", "MD5sum", "SHA1", "SHA256", "SHA512",
  ]

  /// What stands in the way of using a paragraph.
  struct MissingField: Error, Equatable, Sendable, CustomStringConvertible {
    var name: String
    var description: String { "a package has no field “\(name)”" }
  }

  /// Reads one paragraph.
  ///
  /// - Parameter paragraph: A paragraph of a `Packages` file.
  /// - Throws: ``MissingField`` without a name or a version. Everything else may be absent.
  init(_ paragraph: ControlParagraph) throws(MissingField) {
    guard let name = paragraph["Package"], !name.isEmpty else {
      throw MissingField(name: "Package")
    }
    guard let version = paragraph["Version"], !version.isEmpty else {
      throw MissingField(name: "Version")
    }
    self.name = name
    self.version = version
    architecture = paragraph["Architecture"] ?? ""
    summary = paragraph["Description"].map { String($0.prefix { $0 != "\n" }) } ?? ""
    section = paragraph["Section"] ?? "unknown"
    homepage = paragraph["Homepage"]
    maintainer = MaintainerField(paragraph["Maintainer"] ?? "unknown")
    tags = PackageRecord.words(paragraph["Tag"] ?? "")
    // The index counts units of 1024 bytes.
    let kibibytes = paragraph["Installed-Size"].flatMap(Int.init) ?? 0
    let product = kibibytes.multipliedReportingOverflow(by: 1024)
    installedSize = product.overflow ? 0 : product.partialValue
    downloadSize = paragraph["Size"].flatMap(Int.init) ?? 0
    dependencyText = ["Pre-Depends", "Depends"].compactMap { paragraph[$0] }
      .joined(separator: ", ")
    checksums = [:]
    for (field, algorithm) in PackageRecord.algorithms {
      if let value = paragraph[field] { checksums[algorithm] = value }
    }
  }

  private static let algorithms = [
    ("MD5sum", "MD5"), ("SHA1", "SHA1"), ("SHA256", "SHA256"), ("SHA512", "SHA512"),
  ]

  private static func words(_ list: String) -> [String] {
    list.utf8.split { ", \n\t".utf8.contains($0) }.map { String(Substring($0)) }
  }
}
