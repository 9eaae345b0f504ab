import Foundation
import Testing

/// Defaults that no program has made yet, in the output of commands.
@Suite struct MissingDefaultOutputTests {
  @Test func missingDefaultsAreNullInEmbeddedObjectsToo() throws {
    let mark = "9C3B71E2-D84B-86A5-9F1E-2D70C64B8A35"
    let directory = ToolProgram.temporaryURL("varve-missing-")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "parcels.varve").path
    let text = directory.appending(path: "parcels.jsonl")
    let tag = #"{"label":"q","stamp":"\#(mark)"}"#
    try Data(
      """
      {"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"Parcel","properties":\
      [{"name":"id","type":"int64","primaryKey":true},\
      {"name":"token","type":"uuid","default":"\(mark)"},\
      {"name":"tag","type":"link","class":"Tag","optional":true},\
      {"name":"tags","type":"link","class":"Tag","collection":"list"}]},\
      {"name":"Tag","embedded":true,"properties":[{"name":"label","type":"string"},\
      {"name":"stamp","type":"uuid","default":"\(mark)"}]}]}
      {"class":"Parcel","key":1,"values":{"token":"\(mark)","tag":\(tag),"tags":[\(tag)]}}
      """.utf8
    ).write(to: text)
    let output = try ToolProgram.run(["import", text.path, path])
    #expect(output.status == 0, "\(output.errors)")
    for command in [
      ["query", path, "Parcel", "--json"], ["query", path, "Parcel"], ["get", path, "Parcel", "1"],
      ["get", path, "Parcel", "1", "--json"], ["get", path, "Parcel", "1", "tags[0].stamp"],
    ] {
      let output = try ToolProgram.run(command)
      #expect(output.status == 0 && !output.text.contains("9C3B"), "\(output)")
      #expect(output.text.contains("null"), "\(output)")
    }
    // An export keeps the mark, for the program that declares the property.
    #expect(try ToolProgram.run(["export", path]).text.split(separator: mark).count == 6)
  }
}
