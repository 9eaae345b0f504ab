/// The fields of one package of a Debian index that the demo stores.
struct PackageRecord: Equatable, Sendable {
  var name: String
  var version: String
  var architecture: String
  var summary: String
  var section: String
  var homepage: String?
  var maintainer: MaintainerField
  var tags: [String]

  /// The size in bytes; 0 if the index has none.
  var installedSize: Int

  /// The size in bytes.
  var downloadSize: Int

  /// The fields `Pre-Depends` and `Depends`, unparsed.
  var dependencyText: String

  /// The checksums by algorithm: `MD5`, `SHA256`, ….
  var checksums: [String: String]

  /// The fields that ``init(_:)`` reads, so that a parser can drop the others.
  static let fields = [
    "Package", "Version", "Architecture", "Description", "Section", "Homepage", "Maintainer",
    "Tag", "Installed-Size", "Size", "Pre-Depends", "Depends", "MD5sum", "SHA1", "SHA256", "SHA512",
  ]

  /// An error for a paragraph without a required field.
  struct MissingField: Error, Equatable, Sendable, CustomStringConvertible {
    var name: String
    var description: String { "a package has no field “\(name)”" }
  }

  /// Creates a record from one paragraph of a `Packages` file.
  ///
  /// - Throws: ``MissingField`` if the name or the version is missing. All other fields are
  ///   optional.
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
    // The index gives the size in units of 1024 bytes.
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
