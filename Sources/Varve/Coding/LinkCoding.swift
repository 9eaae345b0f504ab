/// How objects that link to others are encoded and decoded.
///
/// ```swift
/// let encoder = JSONEncoder()
/// encoder.userInfo[.varveLinks] = LinkCoding.keys
/// let decoder = JSONDecoder()
/// decoder.userInfo[.varveLinks] = LinkCoding.keys
/// decoder.userInfo[.varveRealm] = realm
/// ```
///
/// Embedded objects are nested either way.
public enum LinkCoding: Sendable, Hashable {
  /// A linked object stands where it is linked, with all its properties. Links that lead back to an object around them are an error. Links
  /// to objects of classes that are not `Codable` are left out, and so are linking objects. This is what an encoder
  /// and a decoder do that are not told otherwise.
  case nested
  /// In place of a linked object stands its primary key, and in place of one in an `AnyRealmValue` its class and key, as
  /// `{"$link": {"class": "Dog", "key": "Rex"}}`: no stored dictionary has a key that starts with `$`. The class need not
  /// be `Codable`. Linking objects are written as an array of keys, and not read.
  ///
  /// A key is decoded as the object that has it in the realm of `userInfo[.varveRealm]`; that there is none is an error.
  /// Without a realm it is decoded as an unmanaged object that has nothing but the key. Added with the
  /// policy `.modified` or `.all`, it is the object that has the key, which is otherwise left as it is.
  case keys
}

extension CodingUserInfoKey {
  /// How links are coded: a ``LinkCoding``.
  public static let varveLinks = named("varve.links")
  /// The ``Realm`` in which decoded keys are looked up.
  public static let varveRealm = named("varve.realm")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("Every name makes a key.")
    }
    return key
  }
}

extension LinkCoding {
  /// What an encoder or a decoder was told.
  init(_ userInfo: [CodingUserInfoKey: Any]) {
    self = userInfo[.varveLinks] as? LinkCoding ?? .nested
  }
}

/// Where a decoder gets linked objects from.
struct LinkSource: Sendable {
  let coding: LinkCoding
  let realm: Realm?

  init(_ decoder: any Decoder) {
    let userInfo = decoder.userInfo
    coding = LinkCoding(userInfo)
    realm = userInfo[.varveRealm] as? Realm
  }
}

extension DecodingError {
  /// The error with class and property, unless it names some already.
  func naming(_ className: String, _ property: String) -> DecodingError {
    func named(_ context: Context) -> Context {
      Context(
        codingPath: context.codingPath,
        debugDescription: CodingContext.named(context.debugDescription, className, property),
        underlyingError: context.underlyingError)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, named(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, named(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, named(context))
    case .dataCorrupted(let context): .dataCorrupted(named(context))
    @unknown default: self
    }
  }
}

extension EncodingError {
  /// The error with class and property, unless it names some already.
  func naming(_ className: String, _ property: String) -> EncodingError {
    guard case .invalidValue(let value, let context) = self else { return self }
    return .invalidValue(
      value,
      Context(
        codingPath: context.codingPath,
        debugDescription: CodingContext.named(context.debugDescription, className, property),
        underlyingError: context.underlyingError))
  }
}

/// How errors of coding name a property.
enum CodingContext {
  private static let beginning = "Property '"

  static func named(_ text: String, _ className: String, _ property: String) -> String {
    text.hasPrefix(beginning) ? text : "\(beginning)\(className).\(property)': \(text)"
  }
}
