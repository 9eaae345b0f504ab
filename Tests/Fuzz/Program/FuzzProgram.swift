import Foundation

// The program of libFuzzer. VARVE_FUZZ_TARGET is the name of the target.

private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["VARVE_FUZZ_TARGET"]
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("VARVE_FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", ")).")
    exit(2)
  }
  return target
}()

private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do {
    try target.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
  } catch {
    // libFuzzer keeps the input of a program that ends like this.
    FileHandle.standardError.write(Data("\(target.name): \(error)\n".utf8))
    abort()
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

@main enum FuzzProgram {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &arguments) { testOneInput($0, $1) })
  }
}
