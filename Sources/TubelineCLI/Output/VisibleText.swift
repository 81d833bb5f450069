import Telemetry

// Every file here writes for terminals.
typealias VisibleText = Telemetry.VisibleText
