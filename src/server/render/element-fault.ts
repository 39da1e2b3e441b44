// The error of an element that must not be sent.
import { hasBrand } from '../../util/brand.ts'
import type { ViolationFinding } from '../response/violation.ts'

/** Thrown for an element that must not be sent. */
export class ElementFault extends Error {
  override readonly name = 'ElementFault'
  readonly '~elementFault' = true
  readonly findings: readonly ViolationFinding[]
  readonly element: unknown

  constructor(text: string, findings: readonly ViolationFinding[], element: unknown) {
    super(text)
    this.findings = findings
    this.element = element
  }
}

export const isElementFault = (error: unknown): error is ElementFault => hasBrand(error, '~elementFault')
