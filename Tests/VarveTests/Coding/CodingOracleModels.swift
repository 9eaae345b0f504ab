import Foundation
import Varve

enum Shade: String, PersistableEnum, Codable { case red, deepBlue = "deep_blue" }

/// A class with properties of all types that a structure can have too.
@Model final class Specimen: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flag: Bool
  @Persisted var tiny: Int8
  @Persisted var big: Int64
  @Persisted var realNumber: Float
  @Persisted var doubleNumber: Double
  @Persisted var someText: String
  @Persisted var someData: Data
  @Persisted var createdAt: Date
  @Persisted var uuidValue: UUID
  @Persisted var shade: Shade
  @Persisted var optFlag: Bool?
  @Persisted var optTiny: Int8?
  @Persisted var optText: String?
  @Persisted var optData: Data?
  @Persisted var optDate: Date?
  @Persisted var optShade: Shade?
  @Persisted var wrapped: RealmProperty<Date>
  @Persisted var optWrapped: RealmProperty<Data?>
  @Persisted var numbers: List<Int>
  @Persisted var optNumbers: List<Int?>
  @Persisted var dates: List<Date>
  @Persisted var labels: MutableSet<String>
  @Persisted var byName: Map<String, Int>
  @Persisted var dateByName: Map<String, Date>
  @Persisted var onePart: SpecimenPart?
  @Persisted var partList: List<SpecimenPart>
  @Persisted var partMap: Map<String, SpecimenPart?>
  @Persisted var oneLink: SpecimenLink?
  @Persisted var linkList: List<SpecimenLink>
  @Persisted var linkMap: Map<String, SpecimenLink?>
}

@Model final class SpecimenPart: EmbeddedObject, Codable {
  @Persisted var partName: String
  @Persisted var unitPrice: Double?
}

@Model final class SpecimenLink: Object, Codable {
  @Persisted(primaryKey: true) var linkNumber: Int
  @Persisted var startedAt: Date
}

/// The same properties, coded by the compiler. Nil is encoded as null, as models do.
struct SpecimenOracle: Codable {
  struct Part: Codable {
    var partName: String
    var unitPrice: Nullable<Double>
  }

  struct Link: Codable {
    var linkNumber: Int
    var startedAt: Date
  }

  var id: Int
  var flag: Bool
  var tiny: Int8
  var big: Int64
  var realNumber: Float
  var doubleNumber: Double
  var someText: String
  var someData: Data
  var createdAt: Date
  var uuidValue: UUID
  var shade: Shade
  var optFlag: Nullable<Bool>
  var optTiny: Nullable<Int8>
  var optText: Nullable<String>
  var optData: Nullable<Data>
  var optDate: Nullable<Date>
  var optShade: Nullable<Shade>
  var wrapped: Date
  var optWrapped: Nullable<Data>
  var numbers: [Int]
  var optNumbers: [Int?]
  var dates: [Date]
  var labels: [String]
  var byName: [String: Int]
  var dateByName: [String: Date]
  var onePart: Nullable<Part>
  var partList: [Part]
  var partMap: [String: Part?]
  var oneLink: Nullable<Link>
  var linkList: [Link]
  var linkMap: [String: Link?]
}

/// An optional that is encoded also when it is nil.
struct Nullable<Value: Codable>: Codable {
  var value: Value?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

enum SpecimenDocuments {
  static let full =
    #"{"big":9007199254740993,"byName":{"a_b":1,"cD":2},"createdAt":1000.5,"#
    + #""dateByName":{"aB":3},"dates":[0,1.5],"doubleNumber":2.25,"flag":true,"id":1,"#
    + #""labels":["a","b"],"linkList":[{"linkNumber":2,"startedAt":5},{"linkNumber":2,"startedAt":5}],"#
    + #""linkMap":{"a_B":{"linkNumber":3,"startedAt":6},"z":null},"numbers":[1,2,1],"#
    + #""oneLink":{"linkNumber":4,"startedAt":7},"onePart":{"partName":"p","unitPrice":1.5},"#
    + #""optData":"","optDate":-5,"optFlag":false,"optNumbers":[null,1],"optShade":"red","#
    + #""optText":"","optTiny":4,"optWrapped":"AQ==","partList":[{"partName":"q","unitPrice":null},"#
    + #"{"partName":"r","unitPrice":2}],"partMap":{"a_b":{"partName":"m","unitPrice":3},"n":null},"#
    + #""realNumber":1.5,"shade":"deep_blue","someData":"AQI=","someText":"t/é\u0000","tiny":-8,"#
    + #""uuidValue":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","wrapped":2000.5}"#

  static let sparse =
    #"{"big":0,"byName":{},"createdAt":0,"dateByName":{},"dates":[],"doubleNumber":0,"flag":false,"#
    + #""id":2,"labels":[],"linkList":[],"linkMap":{},"numbers":[],"oneLink":null,"onePart":null,"#
    + #""optData":null,"optDate":null,"optFlag":null,"optNumbers":[],"optShade":null,"optText":null,"#
    + #""optTiny":null,"optWrapped":null,"partList":[],"partMap":{},"realNumber":0,"shade":"red","#
    + #""someData":"","someText":"","tiny":0,"#
    + #""uuidValue":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","wrapped":0}"#
}
