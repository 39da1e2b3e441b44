// All cases, in the order of the table.
import type { Case } from '../case.ts'
import { answerCases } from './answers.ts'
import { inputCases } from './inputs.ts'
import { listCases } from './lists.ts'
import { routingCases } from './routing.ts'

/** Every case that every runtime must pass. */
export const cases: readonly Case[] = [...routingCases, ...inputCases, ...answerCases, ...listCases]
