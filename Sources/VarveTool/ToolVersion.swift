import VarveStorage

/// The output of `varve --version`.
enum ToolVersion {
  /// The version of the tool and the library; “-dev” until it is released.
  static let number = "0.1.0"

  static let text = "varve \(number), file format \(RootRecord.currentFormatVersion)"
}
