import VarveCore
import VarveEncoding

extension ValueReader {
  /// The target of a value: its type, and the names for error messages.
  struct Destination {
    let className: String
    let propertyName: String
    let type: _PropertyType
    let isInverse: Bool
    /// Whether null represents a primary key that is still to be generated.
    let isGenerated: Bool

    init(_ className: String, _ property: PropertyDescriptor) {
      self.init(
        className, property.name, property.type, isInverse: property.originProperty != nil,
        isGenerated: property.isAutoIncremented)
    }

    init(
      _ className: String, _ propertyName: String, _ type: _PropertyType, isInverse: Bool = false,
      isGenerated: Bool = false
    ) {
      self.className = className
      self.propertyName = propertyName
      self.type = type
      self.isInverse = isInverse
      self.isGenerated = isGenerated
    }

    func failure(
      _ code: Failure.Code, _ message: String, _ value: String?
    ) -> Failure {
      Failure(code, message, className: className, propertyName: propertyName, value: value)
    }

    func mismatch(_ part: Any) -> Failure {
      var failure = failure(
        .typeMismatch, "The value does not fit the property.",
        "\(ValueReader.text(of: part)) of type \(Swift.type(of: part))")
      let isCustom = type.isValid != nil
      let typeName = type.kind.typeName(target: type.targetName)
      failure.details = [
        "expected \(isCustom ? "a value stored as \(typeName)" : typeName)"
      ]
      return failure
    }
  }
}
