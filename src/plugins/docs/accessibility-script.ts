// Repairs the page of Scalar: controls that lack a name, a role or a state get it (WCAG 4.1.2).

/**
 * Watches the page for controls that assistive technology cannot identify, and repairs them. It runs in browsers only.
 */
export const accessibilityScript: string = `  new MutationObserver(repair).observe(document.body, { childList: true, subtree: true })

  function repair() {
    each('button[class*=copy-button]:not([aria-label])', function (button) {
      button.setAttribute('aria-label', 'Copy')
    })
    each('button[role=none]', function (button) {
      button.removeAttribute('role')
    })
    each('[role=combobox]:not([aria-expanded])', function (field) {
      field.setAttribute('aria-expanded', 'false')
    })
  }

  function each(selector, mend) {
    document.querySelectorAll(selector).forEach(mend)
  }
`
