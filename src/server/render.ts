// Rendering: a returned response is held to its declaration and becomes a body with a content type.
import Negotiator from 'negotiator'
import type { ResolvedResponse } from '../design/resolved.ts'
import type { Response } from '../design/response.ts'
import type { SelectionParam } from '../design/selection.ts'
import { type CompiledBody, compileBody, essenceOf, isPlain, writePlain } from './bodies.ts'
import type { CompiledResponse, Exchange } from './exchange.ts'
import { headerOf, headerRules } from './header-rules.ts'
import { returnedProblem, writeProblem } from './problem.ts'
import type { Rendered, RenderProblem } from './rendered.ts'

/** Prepares a declared response; `param` is the one that selects what successful bodies show. */
export function compileResponse(declared: ResolvedResponse, param: SelectionParam | undefined): CompiledResponse {
  const { name, status } = declared
  const bodies = declared.bodies.map((body) => compileBody(body, status < 300 ? param : undefined))
  const brokenHeader = headerRules(declared)
  const structured = declared.bodies[0]?.attribute !== undefined
  const implied = declared.implied ? impliedBody(bodies, structured) : declaredBody(bodies)
  const write = bodies.length === 0 ? undeclaredBody : implied
  return {
    status,
    render(response, exchange) {
      if (response.status !== status) {
        return { violation: `the response '${name}' has the status ${response.status}, but ${status} is declared` }
      }
      const broken = brokenHeader?.(response)
      return broken === undefined ? write(response, exchange) : { violation: `the response '${name}' ${broken}` }
    },
  }
}

type Write = (response: Response, exchange: Exchange) => Rendered | RenderProblem

const declaredBody =
  (bodies: readonly CompiledBody[]): Write =>
  (response, exchange) => {
    const chosen = chooseBody(bodies, response, exchange)
    return 'write' in chosen ? chosen.write(response.body, exchange) : chosen
  }

// The endpoint's media type writes structures; a text or bytes need none, and no body at all needs nothing.
function impliedBody(bodies: readonly CompiledBody[], structured: boolean): Write {
  const write = declaredBody(bodies)
  return (response, exchange) => {
    const { body } = response
    if (body === undefined) return { contentType: undefined, body: null }
    const contentType = headerOf(response, 'Content-Type')
    // A media type that is only an identifier names what plain bodies are, unless the response says otherwise.
    return isPlain(body) && (structured || contentType !== undefined)
      ? writePlain(body, contentType)
      : write(response, exchange)
  }
}

// A response listed without a media type: an error is a problem document, anything else has a plain body or none.
function undeclaredBody(response: Response, exchange: Exchange): Rendered | RenderProblem {
  const { body, status } = response
  const contentType = headerOf(response, 'Content-Type')
  if (status < 400 || contentType !== undefined || (isPlain(body) && typeof body !== 'string'))
    return writePlain(body, contentType)
  const encoded = writeProblem(exchange.services.encodeProblem, returnedProblem(response))
  return { contentType: encoded.mediaType, body: encoded.body }
}

function chooseBody(
  bodies: readonly CompiledBody[],
  response: Response,
  exchange: Exchange,
): CompiledBody | RenderProblem {
  const wanted = headerOf(response, 'Content-Type')
  if (wanted !== undefined) {
    const essence = essenceOf(wanted)
    const match = bodies.find((body) => body.essence === essence)
    return (
      match ?? {
        violation: `the response '${response.name}' has the media type ${wanted}, but ${listed(bodies)} is declared`,
      }
    )
  }
  const accept = bodies.length === 1 ? undefined : exchange.transport.headers['accept']
  if (accept === undefined) return bodies[0] as CompiledBody
  const [best] = new Negotiator({ headers: { accept: String(accept) } }).mediaTypes(
    bodies.map(({ essence }) => essence),
  )
  const match = bodies.find(({ essence }) => essence === best)
  return match ?? { failure: { code: 'not-acceptable', detail: `Available media types: ${listed(bodies)}.` } }
}

const listed = (bodies: readonly CompiledBody[]): string => bodies.map(({ identifier }) => identifier).join(', ')
