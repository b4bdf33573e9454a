// Made of shared/web/onboarding/app by esbuild: npm run connect-page

// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n2) {
  n2 && n2.parentNode && n2.remove();
}
function m(r3, u3, i3, f4, o4) {
  var e3 = { type: r3, props: u3, key: i3, ref: f4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o4 || ++t, __i: -1, __u: 0 };
  return !o4 && n.vnode && n.vnode(e3), e3;
}
function $(n2) {
  return n2.children;
}
function x(n2, t3) {
  this.props = n2, this.context = t3, this.__g = 0;
}
function S(n2, t3) {
  if (null == t3) return n2.__ && S(n2.__, n2.__i + 1);
  for (var r3; t3 < n2.__k.length; t3++) if ((r3 = n2.__k[t3]) && r3.__e) return r3.__e;
  return "function" != typeof n2.type || n2.props.__P ? null : S(n2);
}
function C(t3) {
  var r3, u3 = t3.__v, i3 = u3.__e, f4 = [], o4 = [], e3 = t3.__P;
  e3 && ((r3 = _({ constructor: h }, u3)).__v = u3.__v + 1, n.vnode && n.vnode(r3), z(e3, r3, u3, t3.__n, e3.namespaceURI, 32 & u3.__u ? [i3] : null, f4, i3 || S(u3), 32 & u3.__u, o4), r3.__v = u3.__v, r3.__.__k[r3.__i] = r3, E(f4, r3, o4), u3.__ = u3.__e = null, r3.__e != i3 && j(r3));
}
function j(n2) {
  if ((n2 = n2.__) && n2.__c && !n2.props.__P) return n2.__e = null, n2.__k.some(function(t3) {
    return t3 && (n2.__e = t3.__e);
  }), j(n2);
}
function L(t3) {
  (8 & t3.__g || (t3.__g |= 8, u.push(t3), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n2, t3 = 1; u.length; ) u.length > t3 && u.sort(o), n2 = u.shift(), t3 = u.length, 8 & n2.__g && C(n2);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n2, t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, v3, w3, d3, _3, g3 = u3.__k || y, k2 = t3.length;
  for (l3 = q(r3, t3, g3, l3, k2), s3 = 0; s3 < k2; s3++) null != (v3 = r3.__k[s3]) && (h3 = ~v3.__i && g3[v3.__i] || p, v3.__i = s3, _3 = z(n2, v3, h3, i3, f4, o4, e3, l3, c3, a4), w3 = v3.__e, (h3.ref != v3.ref || 8 & h3.__u) && (h3.ref && G(h3.ref, null, v3, h3), v3.ref && a4.push(v3.ref, v3.__c || w3, v3)), d3 = d3 || w3, 4 & v3.__u ? (l3 = A(v3, l3, n2, !h3.__v), h3.__e && (h3.__e = null)) : "function" == typeof v3.type && void 0 !== _3 ? l3 = _3 : w3 && (l3 = w3.nextSibling), v3.__u &= -21);
  return r3.__e = d3, l3;
}
function q(n2, t3, r3, u3, i3) {
  var f4, o4, e3, l3, c3, a4, s3, p3, y3, v3 = r3.length, d3 = v3, _3 = 0, g3 = 0, k2 = n2.__k = Array(i3);
  for (f4 = 0; f4 < i3; f4++) null != (o4 = t3[f4]) && "boolean" != typeof o4 && "function" != typeof o4 ? ("object" != typeof o4 || o4.constructor === String ? o4 = k2[f4] = m(null, o4) : w(o4) ? o4 = k2[f4] = m($, { children: o4 }) : o4.constructor === h && o4.__b ? o4 = k2[f4] = m(o4.type, o4.props, o4.key, o4.ref, o4.__v) : k2[f4] = o4, l3 = f4 + _3, o4.__ = n2, o4.__b = n2.__b + 1, e3 = null, ~(c3 = o4.__i = P(o4, r3, l3, d3)) && (d3--, (e3 = r3[c3]) && (e3.__u |= 2)), e3 && e3.__v ? (o4.__u |= 16, c3 == l3 - 1 ? _3-- : c3 == l3 + 1 ? _3++ : c3 != l3 && (c3 > l3 ? _3-- : _3++, g3 = 1)) : (~c3 || (i3 > v3 ? _3-- : i3 < v3 && _3++), "function" != typeof o4.type && (o4.__u |= 4))) : k2[f4] = null;
  if (g3) {
    for (a4 = [], s3 = [], f4 = 0; f4 < i3; f4++) if ((o4 = k2[f4]) && 16 & o4.__u) {
      for (_3 = 0, p3 = a4.length; _3 < p3; ) a4[y3 = _3 + p3 >> 1] < o4.__i ? _3 = y3 + 1 : p3 = y3;
      a4[_3] = o4.__i, s3[f4] = _3 + 1;
    }
    for (_3 = a4.length; f4--; ) s3[f4] && (s3[f4] == _3 ? _3-- : k2[f4].__u |= 4);
  }
  if (d3) for (f4 = 0; f4 < v3; f4++) !(e3 = r3[f4]) || 2 & e3.__u || (e3.__e == u3 && (u3 = S(e3)), J(e3, e3));
  return u3;
}
function A(n2, t3, r3, u3) {
  var i3, f4, o4, e3;
  if ("function" == typeof n2.type) {
    if (n2.props.__P) return t3;
    if (i3 = n2.__k) for (f4 = 0; f4 < i3.length; f4++) i3[f4] && (i3[f4].__ = n2, t3 = A(i3[f4], t3, r3, false));
    return t3;
  }
  for (t3 && !t3.parentNode && (t3 = S(n2)) && !t3.parentNode && (t3 = null), o4 = n2.__e, e3 = t3; e3 && 8 == e3.nodeType; ) e3 = e3.nextSibling;
  for (o4 != e3 && (!u3 && r3.moveBefore && o4.parentNode ? r3.moveBefore(o4, t3) : r3.insertBefore(o4, t3 || null)), t3 = o4; (t3 = t3 && t3.nextSibling) && 8 == t3.nodeType && !t3.data.startsWith("$s"); ) ;
  return t3;
}
function P(n2, t3, r3, u3) {
  var i3, f4 = n2.key, o4 = n2.type, e3 = t3[r3], l3 = e3 && !(2 & e3.__u);
  if (null === e3 && null == f4 || l3 && f4 == e3.key && o4 == e3.type) return r3;
  if (u3 > (l3 ? 1 : 0)) {
    for (i3 = r3 - 1; i3 >= 0; i3--) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
    for (i3 = r3 + 1; i3 < t3.length; i3++) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
  }
  return -1;
}
function T(n2, t3, r3) {
  null == r3 && (r3 = ""), "-" == t3[0] ? n2.setProperty(t3, r3) : n2[t3] = r3;
}
function N(n2, t3, r3, u3, i3) {
  var f4, o4;
  if ("style" == t3) if ("string" == typeof r3) n2.style.cssText = r3;
  else {
    if ("string" == typeof u3 && (n2.style.cssText = u3 = ""), u3) for (t3 in u3) r3 && t3 in r3 || T(n2.style, t3);
    if (r3) for (t3 in r3) u3 && r3[t3] == u3[t3] || T(n2.style, t3, r3[t3]);
  }
  else if ("o" == t3[0] && "n" == t3[1]) "function" != typeof r3 && (r3 = null), "function" != typeof u3 && (u3 = null), (n2.__e || (n2.__e = {}))[t3] = r3, r3 && u3 || (o4 = a[t3] || (a[t3] = V(t3)), (n2.__a || (n2.__a = {}))[t3] = c, f4 = t3 != (t3 = t3.replace(l, "$1")), (t3 = t3.slice(2))[0] < "a" && (t3 = t3.toLowerCase()), r3 ? n2.addEventListener(t3, o4, f4) : n2.removeEventListener(t3, o4, f4));
  else {
    if ("http://www.w3.org/2000/svg" == i3) t3 = t3.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t3 && "height" != t3 && "href" != t3 && "list" != t3 && "form" != t3 && "tabIndex" != t3 && "download" != t3 && "rowSpan" != t3 && "colSpan" != t3 && "role" != t3 && "popover" != t3 && t3 in n2) try {
      return void (n2[t3] = null == r3 ? "" : r3);
    } catch (n3) {
    }
    if ("function" == typeof r3) return;
    null == r3 || false === r3 && "-" != t3[4] ? n2.removeAttribute(t3) : n2.setAttribute(t3, "popover" == t3 && 1 == r3 ? "" : r3);
  }
}
function V(t3) {
  return function(r3) {
    var u3 = this.__e;
    if (u3) {
      if (u3 = u3[t3], null == r3[e]) r3[e] = c++;
      else if (r3[e] < this.__a[t3]) return;
      return u3(n.event ? n.event(r3) : r3);
    }
  };
}
function z(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, p3, v3, d3, k2, b2, m3, M, C3, j3, L2, H2, q2, A3, O, P2, T3, N2, V2 = r3.type;
  if (r3.constructor !== h) return null;
  128 & u3.__u && (c3 = 32 & u3.__u, s3 = u3.__c.__z) && (r3.__u |= c3, p3 = o4 = [], 8 == s3.nodeType ? l3 = B(s3, o4) : o4.push(s3), l3 = o4[0] || l3), (s3 = n.__b) && s3(r3);
  n: if ("function" == typeof V2) {
    v3 = e3.length;
    try {
      if (M = r3.props, C3 = (s3 = V2.prototype) && s3.render, j3 = (s3 = V2.contextType) && i3[s3.__c], L2 = s3 ? j3 ? j3.props.value : s3.__ : i3, (d3 = u3.__c) ? (r3.__c = d3, 2 & d3.__g && (d3.__g |= 1)) : (C3 ? r3.__c = d3 = new V2(M, L2) : (r3.__c = d3 = new x(M, L2), d3.constructor = V2, d3.render = K), j3 && j3.sub(d3), d3.state || (d3.state = {}), d3.__n = i3, d3.__g |= 8, d3.__h = [], d3.__k = []), C3 && (d3.__s || (d3.__s = d3.state), V2.getDerivedStateFromProps && (d3.__s == d3.state && (d3.__s = _({}, d3.__s)), _(d3.__s, V2.getDerivedStateFromProps(M, d3.__s)))), k2 = d3.props, b2 = d3.state, d3.__v = r3, u3.__c) {
        if (M !== k2 && C3 && !V2.getDerivedStateFromProps && d3.componentWillReceiveProps && d3.componentWillReceiveProps(M, L2), r3.__v == u3.__v && !(8 & d3.__g) || !(4 & d3.__g) && d3.shouldComponentUpdate && false === d3.shouldComponentUpdate(M, d3.__s, L2)) {
          r3.__v != u3.__v && (d3.props = M, d3.state = d3.__s, d3.__g &= -9), r3.__e = u3.__e, r3.__k = u3.__k, r3.__k.some(function(n2) {
            n2 && (n2.__ = r3);
          }), y.push.apply(d3.__h, d3.__k), d3.__k = [], d3.__h.length && e3.push(d3), l3 = S(u3);
          break n;
        }
        d3.componentWillUpdate && d3.componentWillUpdate(M, d3.__s, L2), C3 && d3.componentDidUpdate && d3.__h.push(function() {
          d3.componentDidUpdate(k2, b2, m3);
        });
      } else C3 && !V2.getDerivedStateFromProps && d3.componentWillMount && d3.componentWillMount(), C3 && d3.componentDidMount && d3.__h.push(d3.componentDidMount);
      d3.context = L2, d3.props = M, d3.__P = t3, d3.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d3.__g &= -9, H2 && H2(r3), s3 = d3.render(d3.props, d3.state = d3.__s, d3.context);
      } while (8 & d3.__g && ++q2 < 25);
      C3 && (y.push.apply(d3.__h, d3.__k), d3.__k = []), d3.state = d3.__s, d3.getChildContext && (i3 = _({}, i3, d3.getChildContext())), C3 && u3.__c && d3.getSnapshotBeforeUpdate && (m3 = d3.getSnapshotBeforeUpdate(k2, b2)), A3 = s3 && s3.type === $ && null == s3.key ? s3.props.children : s3, M.__P && (s3 = l3, f4 = (t3 = M.__P).namespaceURI, c3 = o4 = null, u3.props && u3.props.__P != t3 && (u3.__k.some(function(n2) {
        n2 && J(n2, n2);
      }), u3.__k = null), l3 = u3.__k ? S(u3, 0) : null), l3 = I(t3, w(A3) ? A3 : [A3], r3, u3, i3, f4, o4, e3, l3, c3, a4), M.__P && (r3.__e = null, l3 = s3), r3.__u &= -161, p3 && p3.some(g), d3.__h.length && e3.push(d3), 1 & d3.__g && (d3.__g &= -4);
    } catch (t4) {
      if (e3.length = v3, r3.__v = null, c3 || o4) if (t4 && t4.then) {
        if (r3.__u |= 128 | c3, o4) {
          for (~(T3 = o4.indexOf(l3 || void 0)) || (T3 = o4.length); (N2 = o4[T3 - 1]) && 8 == N2.nodeType; ) T3--;
          for (; T3 < o4.length; T3++) if (N2 = o4[T3]) if (o4[T3] = null, O) {
            if (N2 == P2) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P2 = B(O = N2));
          }
        }
        if (!O) {
          for (; l3 && 8 == l3.nodeType && l3.nextSibling; ) l3 = l3.nextSibling;
          O = l3;
        }
        (s3 = B(O = r3.__c.__z || (r3.__c.__z = O))) ? (r3.__e = O, l3 = s3) : r3.__e = l3, l3 = l3 && l3.nextSibling;
      } else o4 && o4.some(g);
      else r3.__e = u3.__e;
      r3.__k || (r3.__k = u3.__k || []), t4 && t4.then || D(r3), n.__e(t4, r3, u3);
    }
  } else l3 = r3.__e = F(u3.__e, r3, u3, i3, f4, o4, e3, c3, a4, t3);
  return (s3 = n.diffed) && s3(r3), l3;
}
function B(n2, t3) {
  if (n2 && 8 == n2.nodeType && n2.data.startsWith("$s")) for (var r3 = 1; n2 = n2.nextSibling; ) {
    if (8 == n2.nodeType) {
      if (n2.data.startsWith("$s")) r3++;
      else if (n2.data.startsWith("/$s") && !--r3) return n2;
    }
    t3 && t3.push(n2);
  }
}
function D(n2) {
  n2 && (n2.__c && (n2.__c.__g |= 4), n2.__k && n2.__k.some(D));
}
function E(t3, r3, u3) {
  for (var i3 = 0; i3 < u3.length; ) G(u3[i3++], u3[i3++], u3[i3++]);
  n.__c && n.__c(r3, t3), t3.some(function(r4) {
    try {
      t3 = r4.__h, r4.__h = [], t3.some(function(n2) {
        n2.call(r4);
      });
    } catch (t4) {
      n.__e(t4, r4.__v);
    }
  });
}
function F(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, y3, _3, k2, b2, m3, M, $2 = u3.props || p, x2 = r3.props, C3 = r3.type;
  if ("svg" == C3 ? f4 = "http://www.w3.org/2000/svg" : "math" == C3 ? f4 = "http://www.w3.org/1998/Math/MathML" : f4 || (f4 = "http://www.w3.org/1999/xhtml"), o4) {
    for (s3 = 0; s3 < o4.length; s3++) if ((k2 = o4[s3]) && (C3 ? k2.localName == C3 : 3 == k2.nodeType)) {
      t3 = k2, o4[s3] = null;
      break;
    }
  }
  if (!t3) {
    if (M = a4.ownerDocument || document, !C3) return M.createTextNode(x2);
    t3 = M.createElementNS(f4, C3, x2.is ? x2 : a4), l3 && (n.__m && n.__m(r3, o4), l3 = false), o4 = null;
  }
  if (C3) {
    if (a4 = "template" == C3 && t3.content || t3, o4 = "textarea" == C3 && null != x2.defaultValue ? null : o4 && d.call(a4.childNodes), !l3 && o4) for ($2 = {}, s3 = 0; s3 < t3.attributes.length; s3++) $2[(k2 = t3.attributes[s3]).name] = k2.value;
    for (s3 in $2) k2 = $2[s3], "dangerouslySetInnerHTML" == s3 ? y3 = k2 : "children" == s3 || s3 in x2 || "value" == s3 && "defaultValue" in x2 || "checked" == s3 && "defaultChecked" in x2 || N(t3, s3, null, k2, f4);
    for (s3 in x2) k2 = x2[s3], "children" == s3 ? _3 = k2 : "dangerouslySetInnerHTML" == s3 ? h3 = k2 : "value" == s3 ? b2 = k2 : "checked" == s3 ? m3 = k2 : l3 && "function" != typeof k2 || $2[s3] === k2 || N(t3, s3, k2, $2[s3], f4);
    h3 ? (l3 || y3 && (h3.__html == y3.__html || h3.__html == t3.innerHTML) || (t3.innerHTML = h3.__html), r3.__k = []) : (y3 && (t3.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f4 && v.test(C3)) && (f4 = "http://www.w3.org/1999/xhtml"), I(a4, w(_3) ? _3 : [_3], r3, u3, i3, f4, o4, e3, o4 ? o4[0] : u3.__k && S(u3, 0), l3, c3), o4 && o4.some(g)), l3 && "textarea" != C3 || (s3 = "value", "progress" == C3 && null == b2 ? t3.removeAttribute(s3) : null == b2 || b2 === t3[s3] && ("progress" != C3 || b2) || N(t3, s3, b2, $2[s3], f4), s3 = "checked", null != m3 && m3 != t3[s3] && N(t3, s3, m3, $2[s3], f4));
  } else $2 === x2 || l3 && t3.data == x2 || (t3.data = x2);
  return t3;
}
function G(t3, r3, u3, i3) {
  try {
    "function" == typeof t3 ? r3 ? r3.__x = t3(r3) || 1 : i3 && (i3 = i3.__c || i3.__e) && (r3 = i3.__x) && (i3.__x = null, "function" == typeof r3 ? r3() : t3(null)) : t3.current = r3;
  } catch (t4) {
    n.__e(t4, u3);
  }
}
function J(t3, r3, u3) {
  var i3, f4, o4, e3;
  if (n.unmount && n.unmount(t3), !(i3 = t3.ref) || i3.current && i3.current != t3.__e || G(i3, null, r3, t3), i3 = t3.__c) {
    if (i3.componentWillUnmount) try {
      i3.componentWillUnmount();
    } catch (t4) {
      n.__e(t4, r3);
    }
    i3.__P = i3.__n = null;
  }
  if (i3 = t3.__k) for (e3 = 0; e3 < i3.length; e3++) i3[e3] && J(i3[e3], r3, "function" != typeof t3.type || u3 && !t3.props.__P);
  !u3 && (i3 = t3.__c) && (i3 = i3.__z) && (f4 = B(i3, o4 = [])) && (i3 == t3.__e && o4.some(g), g(f4), g(i3)), u3 || g(t3.__e), t3.__e = t3.__c = t3.__ = null;
}
function K(n2, t3, r3) {
  return this.constructor(n2, r3);
}
function Q(t3, r3) {
  var u3, i3, f4, o4;
  n.__ && n.__(t3, r3), 9 == r3.nodeType && (r3 = r3.documentElement), i3 = (u3 = t3 && 32 & t3.__u) ? null : r3.__k, r3.__k = m($, { children: [t3] }), f4 = [], o4 = [], z(r3, r3.__k, i3 || p, p, r3.namespaceURI, i3 ? null : r3.firstChild ? d.call(r3.childNodes) : null, f4, i3 ? i3.__e : r3.firstChild, u3, o4), E(f4, r3.__k, o4), r3.__k.props.children = null;
}
function U(n2) {
  function t3(n3) {
    var r3, u3;
    return this.getChildContext || (r3 = /* @__PURE__ */ new Set(), (u3 = {})[t3.__c] = this, this.getChildContext = function() {
      return u3;
    }, this.shouldComponentUpdate = function(n4) {
      this.props.value != n4.value && r3.forEach(function(n5) {
        n5.__g |= 4, L(n5);
      });
    }, this.sub = function(n4) {
      r3.add(n4);
      var t4 = n4.componentWillUnmount;
      n4.componentWillUnmount = function() {
        r3.delete(n4), t4 && t4.call(n4);
      };
    }), n3.children;
  }
  return t3.__c = "__cC" + s++, t3.__ = n2, t3.Provider = (t3.Consumer = function(n3, t4) {
    return n3.children(t4);
  }).contextType = t3, t3;
}
n = { __e: function(n2, t3, r3, u3) {
  for (var i3, o4, e3; t3 = t3.__; ) if ((i3 = t3.__c) && !(1 & i3.__g)) {
    i3.__g |= 4;
    try {
      if ((e3 = (o4 = i3.constructor) && o4.getDerivedStateFromError) && i3.setState(o4.getDerivedStateFromError(n2)), i3.componentDidCatch && (i3.componentDidCatch(n2, u3 || {}), e3 = 1), e3 && 8 & i3.__g) return void (i3.__g |= 2);
    } catch (t4) {
      n2 = t4;
    }
  }
  throw f = 0, n2;
} }, t = 0, r = function(n2) {
  return null != n2 && n2.constructor === h;
}, x.prototype.setState = function(n2, t3) {
  var r3 = this.__s;
  r3 && r3 != this.state || (r3 = this.__s = _({}, this.state)), "function" == typeof n2 && (n2 = n2(_({}, r3), this.props)), n2 && (_(r3, n2), this.__v && (t3 && this.__k.push(t3), L(this)));
}, x.prototype.forceUpdate = function(n2) {
  this.__v && (this.__g |= 4, n2 && this.__h.push(n2), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n2, t3) {
  return n2.__v.__b - t3.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n2, t3) {
  a2.__h && a2.__h(r2, n2, f2 || t3), f2 = 0;
  var u3 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n2 >= u3.__.length && u3.__.push({}), u3.__[n2];
}
function d2(n2) {
  return f2 = 1, _2(G2, n2);
}
function _2(n2, u3, i3) {
  var f4 = y2(t2++, 2);
  if (f4.t = n2, !f4.__c && (f4.__ = [i3 ? i3(u3) : G2(void 0, u3), function(n3) {
    var t3 = (f4.__N || f4.__)[0], r3 = f4.t(t3, n3);
    o2(t3, r3) || (f4.__N = [r3, f4.__[1]], f4.__c.setState({}));
  }], f4.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c3 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n3, t3, r3) {
      var u4 = this.__H;
      if (!u4) return true;
      var i4 = false, f5 = this.props != n3;
      if (u4.__.some(function(n4) {
        n4.__N && (i4 = true, o2(n4.__[0], n4.__N[0]) || (f5 = true));
      }), c3) {
        var e3 = c3.call(this, n3, t3, r3);
        return i4 ? e3 || f5 : e3;
      }
      return !i4 || f5;
    };
  }
  return f4.__;
}
function A2(n2, u3) {
  var i3 = y2(t2++, 3);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = true, i3.__ = n2, i3.u = u3, r2.__H.__h.push(i3));
}
function T2(n2) {
  return f2 = 5, w2(function() {
    return { current: n2 };
  }, []);
}
function w2(n2, r3) {
  var u3 = y2(t2++, 7);
  return E2(u3.__H, r3) && (u3.__ = n2(), u3.__H = r3), u3.__;
}
function b(n2, t3) {
  return f2 = 8, w2(function() {
    return n2;
  }, t3);
}
function j2(n2) {
  var u3 = r2.context[n2.__c], i3 = y2(t2++, 9);
  return i3.c = n2, u3 ? (null == i3.__ && (i3.__ = true, u3.sub(r2)), u3.props.value) : n2.__;
}
function g2() {
  var n2;
  do {
    for (; n2 = e2.shift(); ) try {
      C2(n2);
    } catch (t4) {
      a2.__e(t4, { __: (n2 = n2.__P) && n2.__v });
    }
    for (; n2 = c2.shift(); ) {
      var t3 = n2.__H;
      if (n2.__P && t3) try {
        t3.__h.some(C2), t3.__h.some(D2), t3.__h = [];
      } catch (r3) {
        t3.__h = [], a2.__e(r3, n2.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n2) {
  r2 = null, v2 && v2(n2);
}, a2.__ = function(n2, t3) {
  n2 && t3.__k && t3.__k.__m && (n2.__m = t3.__k.__m), p2 && p2(n2, t3);
}, a2.__r = function(n2) {
  l2 && l2(n2), t2 = 0;
  var i3 = (r2 = n2.__c).__H;
  i3 && (u2 == r2 ? r2.__h = [] : (i3.__h.some(C2), i3.__h.some(D2), t2 = 0), i3.__h = [], i3.__.some(function(n3) {
    n3.__N && (n3.__ = n3.__N), n3.u = n3.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n2) {
  m2 && m2(n2);
  var t3 = n2.__c;
  t3 && t3.__H && (t3.__H.__h.length && B2(c2.push(t3)), t3.__H.__.some(function(n3) {
    n3.u && (n3.__H = n3.u);
  })), u2 = r2 = null;
}, a2.__c = function(n2, t3) {
  t3.some(function(n3) {
    try {
      n3.__h.some(C2), n3.__h = n3.__h.filter(function(n4) {
        return !n4.__ || D2(n4);
      });
    } catch (t4) {
      n3.__h = [function() {
        throw t4;
      }];
    }
  }), h2 && h2(n2, t3);
}, a2.unmount = function(n2) {
  s2 && s2(n2);
  var t3, r3, u3 = n2.__c;
  u3 && u3.__H && (u3.__H.__.some(function(u4) {
    try {
      if (u4.__P && u4.__c) {
        if (void 0 === r3) {
          for (r3 = n2.__; r3 && (!r3.__c || !r3.__c.__P); ) r3 = r3.__;
          r3 = r3 && r3.__c;
        }
        u4.__P = r3, B2(e2.push(u4));
      } else C2(u4);
    } catch (n3) {
      t3 = n3;
    }
  }), u3.__H = void 0, t3 && a2.__e(t3, u3.__v));
};
var k = "function" == typeof requestAnimationFrame;
function z2(n2) {
  var t3, r3 = function() {
    clearTimeout(u3), k && cancelAnimationFrame(t3), setTimeout(n2);
  }, u3 = setTimeout(r3, 35);
  k && (t3 = requestAnimationFrame(r3));
}
function B2(n2) {
  1 != n2 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n2) {
  var t3 = r2, u3 = n2.__c;
  "function" == typeof u3 && (n2.__c = void 0, u3()), r2 = t3;
}
function D2(n2) {
  var t3 = r2;
  n2.__c = n2.__(), r2 = t3;
}
function E2(n2, t3) {
  return !n2 || n2.length != t3.length || t3.some(function(t4, r3) {
    return !o2(t4, n2[r3]);
  });
}
function G2(n2, t3) {
  return "function" == typeof t3 ? t3(n2) : t3;
}

// shared/web/onboarding/app/failures.ts
var Rejection = class extends Error {
  status;
  fields;
  data;
  constructor(status, body) {
    super(body.message ?? "");
    this.status = status;
    this.fields = body.fields ?? {};
    this.data = body.data;
  }
};
var Unreachable = class extends Error {
};

// shared/web/onboarding/app/api.ts
var retryOptions = 35e3;
var callsWith = (token) => async (method, path, body) => {
  const response = await fetch(new URL(path, location.href), {
    method,
    headers: {
      ...token && { Authorization: token },
      ...body && { "Content-Type": "application/json" }
    },
    ...body && { body: JSON.stringify(body) },
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.timeout(retryOptions)
  }).catch(() => void 0);
  const text = await response?.text().catch(() => void 0);
  if (!response || text === void 0) throw new Unreachable();
  const answered = parsed(text);
  if (!response.ok) throw new Rejection(response.status, answered);
  return answered;
};
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv");
var o3 = 0;
function a3(t3, e3, n2, u3, a4, i3) {
  e3 || (e3 = {});
  var c3, l3, p3 = e3;
  if ("ref" in p3 && "function" != typeof t3) for (l3 in p3 = {}, e3) "ref" == l3 ? c3 = e3[l3] : p3[l3] = e3[l3];
  var s3 = { type: t3, props: p3, key: n2, ref: c3, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a4 || i3) && (s3.__source = a4, s3.__self = i3), n.vnode && n.vnode(s3), s3;
}

// shared/web/onboarding/app/parts.tsx
function Notice({ kind, children }) {
  return /* @__PURE__ */ a3("div", { class: `notice ${kind}`, role: kind === "problem" ? "alert" : void 0, children });
}
function Field({ id, label, type, autocomplete, isNumber, value, changed, problem, rejectedBy }) {
  return /* @__PURE__ */ a3("div", { class: "field", children: [
    /* @__PURE__ */ a3("label", { for: id, children: label }),
    /* @__PURE__ */ a3(
      "input",
      {
        id,
        type,
        autocomplete,
        inputMode: isNumber ? "numeric" : void 0,
        autocapitalize: "none",
        spellcheck: false,
        value,
        onInput: ({ currentTarget }) => changed(currentTarget.value),
        "aria-invalid": problem || rejectedBy ? true : void 0,
        "aria-describedby": problem ? `${id}-problem` : rejectedBy
      }
    ),
    /* @__PURE__ */ a3(Problem, { id: `${id}-problem`, children: problem })
  ] });
}
function Problem({ id, children }) {
  return children ? /* @__PURE__ */ a3("p", { class: "problem-words", id, children }) : null;
}
function ActionButton({
  isBusy,
  busyWords,
  children,
  kind = "primary",
  ...button
}) {
  return /* @__PURE__ */ a3("button", { type: "submit", ...button, class: kind, "aria-disabled": isBusy || void 0, children: isBusy ? busyWords : children });
}
function useFocusOnProblem(problems) {
  const form = T2(null);
  A2(() => {
    if (problems) form.current?.querySelector("[aria-invalid=true], [data-first]")?.focus();
  }, [problems]);
  return form;
}

// shared/web/onboarding/app/words.ts
function wordsOf(failure, support) {
  if (failure instanceof Unreachable) {
    return "The service cannot be reached. Please check your connection and try again. Nothing is lost.";
  }
  const status = failure instanceof Rejection ? failure.status : 0;
  if (status === 429) return "These were many requests at once. Please wait a minute and try again.";
  if (status === 503) return "The service is busy. Nothing is lost: please try again in a minute.";
  if (status === 413) return "This is more than the service takes at once.";
  return `Something went wrong on our side. Please try again; if it stays so, write to ${support}.`;
}
var sentence = (message) => `This ${message.replace(/\.$/, "")}.`;
var day = (date) => new Date(date).toLocaleDateString(void 0, { dateStyle: "long" });

// shared/web/onboarding/app/linkScreen.tsx
function LinkScreen({ wasRefused, support }) {
  const [email, setEmail] = d2("");
  const [isBusy, setBusy] = d2(false);
  const [isSent, setSent] = d2(false);
  const [problem, setProblem] = d2();
  const form = useFocusOnProblem(problem?.field);
  async function send(event) {
    event.preventDefault();
    if (isBusy) return;
    if (!/^\S+@\S+$/.test(email.trim())) return setProblem({ field: "Please enter an email address." });
    setBusy(true);
    setProblem(void 0);
    try {
      await callsWith()("POST", "onboarding/link", { email: email.trim() });
      setSent(true);
    } catch (failure) {
      const isField = failure instanceof Rejection && failure.status === 422;
      setProblem(isField ? { field: "This is no email address." } : { other: wordsOf(failure, support) });
    } finally {
      setBusy(false);
    }
  }
  return /* @__PURE__ */ a3("main", { children: [
    /* @__PURE__ */ a3("h1", { children: wasRefused ? "This link no longer works" : "Connect your business" }),
    wasRefused ? /* @__PURE__ */ a3("p", { children: "It has expired, a newer link has taken its place, or the invitation has ended. What you have done so far is kept. Please use the link of the newest mail, or have a new one sent." }) : /* @__PURE__ */ a3("p", { children: "This page opens with the link of your invitation. Please use the link of the newest mail, or have a new one sent." }),
    isSent ? /* @__PURE__ */ a3("div", { role: "status", children: /* @__PURE__ */ a3(Notice, { kind: "good", children: [
      /* @__PURE__ */ a3("p", { children: [
        "If ",
        /* @__PURE__ */ a3("strong", { children: email.trim() }),
        " was invited, a new link is on its way. Only the newest link works. At most five are sent in a day."
      ] }),
      /* @__PURE__ */ a3("p", { children: [
        "Nothing has come after some minutes? Look among the unwanted mail, or write to ",
        support,
        "."
      ] })
    ] }) }) : /* @__PURE__ */ a3("form", { noValidate: true, onSubmit: send, ref: form, children: [
      /* @__PURE__ */ a3(
        Field,
        {
          id: "email",
          label: "Email address that was invited",
          type: "email",
          autocomplete: "email",
          value: email,
          changed: setEmail,
          problem: problem?.field
        }
      ),
      problem?.other && /* @__PURE__ */ a3(Notice, { kind: "problem", children: problem.other }),
      /* @__PURE__ */ a3(ActionButton, { isBusy, busyWords: "Sending …", children: "Send a new link" })
    ] })
  ] });
}

// shared/web/onboarding/app/session.tsx
var SessionContext = U(void 0);
function useSession() {
  const session = j2(SessionContext);
  if (!session) throw new Error("no session");
  return session;
}

// shared/web/onboarding/app/stepHeading.tsx
var isFirst = true;
var focusHeading = () => document.querySelector("h2")?.focus();
function StepHeading({ children }) {
  const heading = T2(null);
  A2(() => {
    document.title = children;
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst = false;
  }, [children]);
  return /* @__PURE__ */ a3("h2", { ref: heading, tabIndex: -1, children });
}

// shared/web/onboarding/app/steps.ts
var stepNames = ["consent", "pos", "documents", "submit"];
var before = ["svc_pending", "svc_in_progress"];
var isSubmitted = ({ status }) => !before.includes(status);
var isPresent = ({ consent, terms }) => consent?.terms_version === terms.version;
function stepsOf(onboarding) {
  const lacks = (step) => onboarding.missing.some((each) => each.step === step);
  return [
    { name: "consent", title: "Consent", isDone: isPresent(onboarding) },
    { name: "pos", title: "Point of sale", isDone: !lacks("pos_connection") },
    { name: "documents", title: "Documents", isDone: !lacks("document") },
    { name: "submit", title: "Submit", isDone: isSubmitted(onboarding) }
  ];
}
var nextStep = (onboarding) => stepsOf(onboarding).find(({ isDone }) => !isDone)?.name ?? "submit";
var stepOf = (fragment) => stepNames.find((name) => name === fragment.replace(/^#/, ""));
function wordsOfMissing({ step, requirement_id }, { requirements }) {
  if (step === "consent") return { step, words: "Give consent" };
  if (step === "pos_connection") return { step: "pos", words: "Connect the point of sale" };
  const name = requirements.find((each) => each.requirement_id === requirement_id)?.name;
  return { step: "documents", words: `Add a document: ${name ?? "one that is required"}` };
}

// shared/web/onboarding/app/useAction.ts
function useAction() {
  const { explain } = useSession();
  const [isBusy, setBusy] = d2(false);
  const [problem, setProblem] = d2();
  const busy = T2(false);
  async function run(work, handle) {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setProblem(void 0);
    try {
      await work();
    } catch (failure) {
      setProblem(await handle?.(failure) ?? explain(failure));
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }
  return { isBusy, problem, run };
}

// shared/web/onboarding/app/useStep.ts
var goTo = (step) => {
  location.hash = step;
};
function useStep(onboarding) {
  const [step, setStep] = d2(() => stepOf(location.hash));
  A2(() => {
    const look = () => setStep(stepOf(location.hash));
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  A2(() => {
    if (!onboarding || step) return;
    const next = nextStep(onboarding);
    const address = new URL(location.href);
    address.hash = next;
    history.replaceState(null, "", address);
    setStep(next);
  }, [onboarding, step]);
  return step;
}

// shared/web/onboarding/app/withdraw.tsx
function Withdraw() {
  const { onboarding, call, show, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const question = T2(null);
  const what = onboarding.consent ? "Withdraw consent" : "Disconnect the point of sale";
  const withdraw = () => run(async () => {
    const after = await call("DELETE", "onboarding/consent");
    question.current?.close();
    announce("Consent is withdrawn, and the point of sale is disconnected.");
    show(after);
    focusHeading();
  });
  return /* @__PURE__ */ a3("section", { class: "withdraw", children: [
    /* @__PURE__ */ a3("h3", { children: "Changed your mind?" }),
    /* @__PURE__ */ a3("p", { children: "You can end this at any time, without a reason." }),
    /* @__PURE__ */ a3("button", { type: "button", class: "secondary", onClick: () => question.current?.showModal(), children: [
      what,
      " …"
    ] }),
    /* @__PURE__ */ a3("dialog", { ref: question, class: "question", "aria-labelledby": "withdraw-question", children: [
      /* @__PURE__ */ a3("h3", { id: "withdraw-question", children: [
        what,
        "?"
      ] }),
      /* @__PURE__ */ a3("ul", { children: [
        /* @__PURE__ */ a3("li", { children: "The credentials of the point of sale are erased at once, and nothing more is read." }),
        /* @__PURE__ */ a3("li", { children: [
          "What was copied before stays readable for ",
          onboarding.service_provider.name,
          " as long as the terms say."
        ] }),
        /* @__PURE__ */ a3("li", { children: [
          "All who were invited for ",
          onboarding.business.name,
          " are told by mail."
        ] })
      ] }),
      problem && /* @__PURE__ */ a3(Notice, { kind: "problem", children: problem }),
      /* @__PURE__ */ a3("p", { class: "actions", children: [
        /* @__PURE__ */ a3(ActionButton, { type: "button", kind: "danger", isBusy, busyWords: "Withdrawing …", onClick: withdraw, children: what }),
        /* @__PURE__ */ a3("button", { type: "button", class: "secondary", onClick: () => question.current?.close(), children: "Keep it as it is" })
      ] })
    ] })
  ] });
}

// shared/web/onboarding/app/consentStep.tsx
function ConsentStep() {
  const { onboarding, call, show, refresh } = useSession();
  const { isBusy, problem, run } = useAction();
  const { business, service_provider, terms, consent, pos } = onboarding;
  const isGiven = isPresent(onboarding);
  const isConnected = pos !== null && pos.status !== "Not Connected";
  const give = () => run(
    async () => {
      show(await call("PUT", "onboarding/consent", { terms_version: terms.version }));
      goTo("pos");
    },
    async (failure) => {
      if (!(failure instanceof Rejection && failure.status === 409)) return void 0;
      await refresh();
      return "The terms have changed just now. Please read them again.";
    }
  );
  const sections = terms.sections.map(({ title, text }) => /* @__PURE__ */ a3("section", { children: [
    /* @__PURE__ */ a3("h3", { children: title }),
    /* @__PURE__ */ a3("p", { children: text })
  ] }, title));
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(StepHeading, { children: "What is read, and your consent" }),
    consent && isGiven && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3(Notice, { kind: "good", children: /* @__PURE__ */ a3("p", { children: [
        consent.given_by || "Somebody who was invited",
        " gave consent on ",
        day(consent.date),
        "."
      ] }) }),
      /* @__PURE__ */ a3("p", { class: "actions", children: /* @__PURE__ */ a3("a", { class: "button", href: "#pos", children: "Go on" }) })
    ] }),
    consent && !isGiven && /* @__PURE__ */ a3(Notice, { kind: "note", children: /* @__PURE__ */ a3("p", { children: [
      "The terms have changed since consent was given on ",
      day(consent.date),
      ". That consent stays good for what its terms said. Please read the new ones, and decide whether you consent to them, too."
    ] }) }),
    !consent && isConnected && /* @__PURE__ */ a3(Notice, { kind: "note", children: /* @__PURE__ */ a3("p", { children: [
      service_provider.name,
      " has brought the credentials of your point of sale, so its records are read already. Here you see what is read. You may consent to it, or disconnect the point of sale."
    ] }) }),
    isGiven ? /* @__PURE__ */ a3("details", { children: [
      /* @__PURE__ */ a3("summary", { children: "Read the terms again" }),
      /* @__PURE__ */ a3("div", { class: "terms", children: sections })
    ] }) : /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("p", { class: "lead", children: [
        service_provider.name,
        " asks to read the records of ",
        business.name,
        ". Please read what that means before you decide."
      ] }),
      /* @__PURE__ */ a3("div", { class: "terms", children: sections }),
      /* @__PURE__ */ a3("p", { children: [
        "By giving consent you confirm that you may decide this for ",
        business.name,
        "."
      ] }),
      problem && /* @__PURE__ */ a3(Notice, { kind: "problem", children: problem }),
      /* @__PURE__ */ a3("p", { class: "actions", children: /* @__PURE__ */ a3(ActionButton, { type: "button", isBusy, busyWords: "Giving consent …", onClick: give, children: "Give consent" }) })
    ] }),
    (consent || isConnected) && /* @__PURE__ */ a3(Withdraw, {})
  ] });
}

// shared/web/onboarding/app/documentRow.tsx
var states = { pending: "waits for review", approved: "approved", archived: "no longer used" };
function DocumentRow({ requirementId, document: document2 }) {
  const { call, refresh, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const name = document2.friendly_name ?? document2.file_name ?? "Document";
  const remove = () => run(
    async () => {
      const path = `onboarding/requirements/${requirementId}/documents/${document2.id}`;
      await call("DELETE", path).catch((failure) => {
        if (!(failure instanceof Rejection && failure.status === 404)) throw failure;
      });
      announce(`${name} was removed.`);
      await refresh();
      focusHeading();
    },
    async (failure) => {
      if (!(failure instanceof Rejection && failure.status === 409)) return void 0;
      await refresh();
      return "It cannot be removed: it was reviewed, or comes from somebody else. You can add another one.";
    }
  );
  return /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3("div", { class: "row", children: [
      /* @__PURE__ */ a3("span", { class: "grow", children: [
        /* @__PURE__ */ a3("span", { class: "file", children: name }),
        /* @__PURE__ */ a3("span", { class: "aside", children: [
          states[document2.status],
          ", added on ",
          day(document2.upload_date)
        ] })
      ] }),
      document2.status === "pending" && /* @__PURE__ */ a3(
        ActionButton,
        {
          type: "button",
          kind: "secondary",
          isBusy,
          busyWords: "Removing …",
          "aria-label": `Remove ${name}`,
          onClick: remove,
          children: "Remove"
        }
      )
    ] }),
    /* @__PURE__ */ a3(Problem, { id: `document-${document2.id}-problem`, children: problem })
  ] });
}

// shared/api/enumerations.ts
var states2 = [
  "AL",
  "AK",
  "AZ",
  "AR",
  "AS",
  "CA",
  "CO",
  "CT",
  "DE",
  "DC",
  "FM",
  "FL",
  "GA",
  "GU",
  "HI",
  "ID",
  "IL",
  "IN",
  "IA",
  "KS",
  "KY",
  "LA",
  "ME",
  "MD",
  "MA",
  "MH",
  "MI",
  "MN",
  "MS",
  "MO",
  "MT",
  "NE",
  "NV",
  "NH",
  "NJ",
  "NM",
  "NY",
  "NC",
  "ND",
  "MP",
  "OH",
  "OK",
  "OR",
  "PW",
  "PA",
  "PR",
  "RI",
  "SC",
  "SD",
  "TN",
  "TX",
  "UM",
  "UT",
  "VT",
  "VA",
  "VI",
  "WA",
  "WV",
  "WI",
  "WY",
  "AA",
  "AE",
  "AP"
];
var licenseSearchStates = [...states2, "CAN", "NLA"];
var mimeTypeExtensions = {
  "text/csv": ["csv"],
  "application/msword": ["doc"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "image/gif": ["gif"],
  "image/jpeg": ["jpg", "jpeg"],
  "application/json": ["json"],
  "application/vnd.oasis.opendocument.presentation": ["odp"],
  "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
  "application/vnd.oasis.opendocument.text": ["odt"],
  "image/png": ["png"],
  "application/pdf": ["pdf"],
  "application/vnd.ms-powerpoint": ["ppt"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "application/rtf": ["rtf"],
  "image/svg+xml": ["svg"],
  "image/tiff": ["tif", "tiff"],
  "text/plain": ["txt"],
  "application/vnd.visio": ["vsd"],
  "application/vnd.ms-excel": ["xls"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/xml": ["xml"],
  "text/xml": ["xml"]
};
var mimeTypes = Object.keys(mimeTypeExtensions);

// shared/web/onboarding/app/files.ts
var maxBytes = 5 * 1024 * 1024;
var types = /* @__PURE__ */ new Map();
for (const [type, extensions] of Object.entries(mimeTypeExtensions)) {
  for (const extension of extensions) if (!types.has(extension)) types.set(extension, type);
}
var accepted = [...types.keys()].map((extension) => `.${extension}`).join();
var typeOf = (name) => types.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
function problemOf({ name, size }) {
  if (!typeOf(name)) return "Files of this kind are not taken. PDF, pictures, and office documents are.";
  if (size === 0) return "The file is empty.";
  if (size > maxBytes) return `The file has ${megabytes(size)}; at most 5 MB are taken. A smaller scan will do.`;
  return void 0;
}
var megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
function rejectionWords(failure) {
  if (!(failure instanceof Rejection)) return void 0;
  if (failure.status === 404 || failure.status === 409) return "This document is not asked for any more.";
  if (failure.status !== 422) return void 0;
  if ("body.file_name" in failure.fields) return "The file's name has signs that are not taken. Please rename it.";
  return "The file is not what its name says. Please open it, save it anew, and choose it again.";
}

// shared/web/onboarding/app/uploadRow.tsx
function UploadRow({ upload: { key: key2, name, part, problem, canRetry } }) {
  const { uploads } = useSession();
  return /* @__PURE__ */ a3("div", { class: problem ? "row upload failed" : "row upload", children: [
    /* @__PURE__ */ a3("span", { class: "grow", children: [
      /* @__PURE__ */ a3("span", { class: "file", children: name }),
      problem ? /* @__PURE__ */ a3("span", { class: "problem-words", role: "alert", children: problem }) : /* @__PURE__ */ a3("progress", { "aria-label": `Sending ${name}`, value: part, max: 1 })
    ] }),
    problem && canRetry && /* @__PURE__ */ a3("button", { type: "button", class: "secondary", "aria-label": `Try again: ${name}`, onClick: () => uploads.retry(key2), children: "Try again" }),
    /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        class: "secondary",
        "aria-label": `${problem ? "Dismiss" : "Cancel"} ${name}`,
        onClick: () => uploads.remove(key2),
        children: problem ? "Dismiss" : "Cancel"
      }
    )
  ] });
}

// shared/web/onboarding/app/requirementCard.tsx
function RequirementCard({ requirement }) {
  const { uploads } = useSession();
  const [isOver, setOver] = d2(false);
  const { requirement_id: id = "", name, description, required, documents = [] } = requirement;
  const isMet = documents.some(({ status }) => status !== "archived");
  const add = (files) => uploads.add(id, files ?? []);
  return /* @__PURE__ */ a3(
    "li",
    {
      class: isOver ? "card over" : "card",
      onDragOver: (event) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer?.files);
      },
      children: [
        /* @__PURE__ */ a3("h3", { id: `requirement-${id}`, children: [
          name,
          " ",
          /* @__PURE__ */ a3("span", { class: isMet ? "tag done" : "tag", children: isMet ? "there" : required ? "required" : "optional" })
        ] }),
        description && /* @__PURE__ */ a3("p", { children: description }),
        documents.length > 0 && /* @__PURE__ */ a3("ul", { class: "documents", children: documents.map((document2) => /* @__PURE__ */ a3(DocumentRow, { requirementId: id, document: document2 }, document2.id)) }),
        uploads.list.filter(({ requirementId }) => requirementId === id).map((upload2) => /* @__PURE__ */ a3(UploadRow, { upload: upload2 }, upload2.key)),
        /* @__PURE__ */ a3("label", { class: "chooser", children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "file",
              multiple: true,
              accept: accepted,
              "aria-describedby": `requirement-${id}`,
              onChange: ({ currentTarget }) => {
                add(currentTarget.files);
                currentTarget.value = "";
              }
            }
          ),
          /* @__PURE__ */ a3("span", { children: [
            /* @__PURE__ */ a3("strong", { children: isMet ? "Add another file" : "Choose a file" }),
            /* @__PURE__ */ a3("span", { class: "drop", children: " or drop it here" })
          ] })
        ] })
      ]
    }
  );
}

// shared/web/onboarding/app/documentsStep.tsx
function DocumentsStep() {
  const { requirements } = useSession().onboarding;
  const asked = requirements.filter(({ archived }) => !archived).toSorted((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(StepHeading, { children: "Add your documents" }),
    asked.length === 0 ? /* @__PURE__ */ a3("p", { children: "No documents are asked for." }) : /* @__PURE__ */ a3("p", { class: "lead", children: "PDF, pictures, and office documents of up to 5 MB each." }),
    /* @__PURE__ */ a3("ul", { class: "requirements", children: asked.map((requirement) => /* @__PURE__ */ a3(RequirementCard, { requirement }, requirement.requirement_id)) }),
    /* @__PURE__ */ a3("p", { class: "actions", children: /* @__PURE__ */ a3("a", { class: "button", href: "#submit", children: "Go on" }) })
  ] });
}

// shared/web/onboarding/app/credentials.ts
var labelsOf = ({ pos_credentials_schema: { credentials_properties } }) => Object.entries(credentials_properties).map(([name, { description }]) => [name, description ?? name]);
var isSecret = (name) => /pass|secret|key|token|auth/i.test(name);
function problemsOf(entry, typed) {
  const { credentials_properties, required_properties } = entry.pos_credentials_schema;
  const problems = Object.entries(credentials_properties).flatMap(([name, { type }]) => {
    const text = typed[name]?.trim() ?? "";
    if (text === "") return required_properties.includes(name) ? [[name, "This is needed."]] : [];
    return type === "number" && !/^-?\d+(\.\d+)?$/.test(text) ? [[name, "This must be a number."]] : [];
  });
  return Object.fromEntries(problems);
}
function credentialsOf(entry, typed) {
  const properties = Object.entries(entry.pos_credentials_schema.credentials_properties);
  return Object.fromEntries(
    properties.flatMap(([name, { type }]) => {
      const text = typed[name]?.trim() ?? "";
      return text === "" ? [] : [[name, type === "number" ? Number(text) : text]];
    })
  );
}
function problemsIn(rejection, entry, isLocationSent) {
  const labels = labelsOf(entry);
  const problems = Object.entries(rejection.fields).map(([field, { message }]) => {
    if (field === "body.location_id") {
      return ["location", isLocationSent ? "This location is not there any more. Please choose another." : ""];
    }
    if (field === "body.pos_credentials") {
      return ["all", `${entry.pos_type} refuses these credentials. Please check each of them and try again.`];
    }
    const name = field.replace("body.pos_credentials.", "");
    if (!labels.some(([each]) => each === name)) return ["all", `${entry.pos_type} cannot be connected at present.`];
    const named = labels.reduce((text, [each, label]) => text.replaceAll(` ${each} `, ` “${label}” `), ` ${message} `);
    return [name, sentence(named.trim())];
  });
  return Object.fromEntries(problems);
}

// shared/web/onboarding/app/locationChoice.tsx
function LocationChoice({ posType, locations, chosen, choose, problem }) {
  if (locations.length === 0) {
    return /* @__PURE__ */ a3(Notice, { kind: "problem", children: [
      posType,
      " has no location under these credentials."
    ] });
  }
  return /* @__PURE__ */ a3("fieldset", { "aria-describedby": problem ? "location-problem" : void 0, children: [
    /* @__PURE__ */ a3("legend", { children: [
      posType,
      " accepts the credentials. Which location is it?"
    ] }),
    locations.map(({ id, name, address }, index) => /* @__PURE__ */ a3("label", { class: "choice", children: [
      /* @__PURE__ */ a3(
        "input",
        {
          type: "radio",
          name: "location",
          checked: chosen === id,
          onChange: () => choose(id),
          "data-first": index === 0 ? true : void 0
        }
      ),
      /* @__PURE__ */ a3("span", { children: [
        /* @__PURE__ */ a3("strong", { children: name }),
        address && /* @__PURE__ */ a3("span", { class: "aside", children: address })
      ] })
    ] }, id)),
    /* @__PURE__ */ a3(Problem, { id: "location-problem", children: problem })
  ] });
}

// shared/web/onboarding/app/credentialsForm.tsx
function CredentialsForm({ entry, done }) {
  const { onboarding, call, show, refresh, announce } = useSession();
  const [typed, setTyped] = d2({});
  const [isShown, setShown] = d2(false);
  const [locations, setLocations] = d2();
  const [location2, setLocation] = d2("");
  const [problems, setProblems] = d2();
  const { isBusy, problem, run } = useAction();
  const form = useFocusOnProblem(problems);
  const { credentials_description, credentials_properties } = entry.pos_credentials_schema;
  const change = (name, value) => {
    setTyped({ ...typed, [name]: value });
    setLocations(void 0);
    setLocation("");
  };
  async function explainRejection(failure) {
    if (!(failure instanceof Rejection)) return void 0;
    if (failure.status === 503) {
      return `${entry.pos_type} cannot be reached at the moment. Nothing was stored, and what you typed is still here: please try again in some minutes.`;
    }
    if (failure.status === 409) {
      const now = await refresh();
      if (!now?.consent) return void 0;
      return `${onboarding.service_provider.name} has this business connected already. Please ask there.`;
    }
    if (failure.status !== 422) return void 0;
    setLocations(failure.data?.locations);
    setProblems(problemsIn(failure, entry, location2 !== ""));
    return "";
  }
  function connect(event) {
    event.preventDefault();
    const wrong = {
      ...problemsOf(entry, typed),
      ...locations && !location2 && { location: "Please choose one of them." }
    };
    if (Object.keys(wrong).length > 0) return setProblems(wrong);
    void run(async () => {
      setProblems(void 0);
      const body = {
        pos_type: entry.pos_type,
        pos_credentials: credentialsOf(entry, typed),
        ...location2 && { location_id: location2 }
      };
      show(await call("PUT", "onboarding/pos-connection", body));
      announce(`${entry.pos_type} is connected.`);
      focusHeading();
      done();
    }, explainRejection);
  }
  return /* @__PURE__ */ a3("form", { noValidate: true, onSubmit: connect, ref: form, class: "credentials", children: [
    /* @__PURE__ */ a3("p", { children: credentials_description }),
    /* @__PURE__ */ a3(Problem, { id: "all-problem", children: problems?.all }),
    labelsOf(entry).map(([name, label]) => /* @__PURE__ */ a3(
      Field,
      {
        id: `credential-${name}`,
        label,
        type: isSecret(name) && !isShown ? "password" : "text",
        isNumber: credentials_properties[name]?.type === "number",
        autocomplete: "off",
        value: typed[name] ?? "",
        changed: (value) => change(name, value),
        problem: problems?.[name],
        rejectedBy: problems?.all && "all-problem"
      },
      name
    )),
    labelsOf(entry).some(([name]) => isSecret(name)) && /* @__PURE__ */ a3("label", { class: "check", children: [
      /* @__PURE__ */ a3("input", { type: "checkbox", checked: isShown, onChange: ({ currentTarget }) => setShown(currentTarget.checked) }),
      "Show what I type"
    ] }),
    locations && /* @__PURE__ */ a3(
      LocationChoice,
      {
        posType: entry.pos_type,
        locations,
        chosen: location2,
        choose: setLocation,
        problem: problems?.location
      }
    ),
    problem && /* @__PURE__ */ a3(Notice, { kind: "problem", children: problem }),
    /* @__PURE__ */ a3("p", { class: "actions", children: /* @__PURE__ */ a3(ActionButton, { isBusy, busyWords: `Asking ${entry.pos_type} …`, children: locations ? "Connect this location" : `Connect ${entry.pos_type}` }) }),
    /* @__PURE__ */ a3("p", { class: "aside", children: "The credentials are tried at once, stored encrypted, and shown to nobody." })
  ] });
}

// shared/web/onboarding/app/posForm.tsx
var notListed = "not listed";
function PosForm({ schema, done }) {
  const { onboarding, support } = useSession();
  const entries = Object.values(schema);
  const present = entries.find(({ pos_type }) => pos_type === onboarding.pos?.name)?.pos_type;
  const [chosen, setChosen] = d2(present ?? "");
  const entry = entries.find(({ pos_type }) => pos_type === chosen);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("div", { class: "field", children: [
      /* @__PURE__ */ a3("label", { for: "pos-type", children: [
        "Which point-of-sale system does ",
        onboarding.business.name,
        " use?"
      ] }),
      /* @__PURE__ */ a3("select", { id: "pos-type", value: chosen, onChange: ({ currentTarget }) => setChosen(currentTarget.value), children: [
        /* @__PURE__ */ a3("option", { value: "", children: "Please choose" }),
        entries.map(({ pos_type }) => /* @__PURE__ */ a3("option", { children: pos_type }, pos_type)),
        /* @__PURE__ */ a3("option", { value: notListed, children: "Another one, which is not listed" })
      ] })
    ] }),
    chosen === notListed && /* @__PURE__ */ a3(Notice, { kind: "note", children: [
      /* @__PURE__ */ a3("p", { children: [
        "Other systems cannot be connected yet. Records can be taken from files instead: write to",
        " ",
        /* @__PURE__ */ a3("strong", { children: support }),
        ", name ",
        onboarding.business.name,
        " and your system, and you are told which files are needed. Meanwhile, please go on with the documents: what you do is kept."
      ] }),
      /* @__PURE__ */ a3("p", { class: "actions", children: /* @__PURE__ */ a3("a", { class: "button", href: "#documents", children: "Go on with the documents" }) })
    ] }),
    entry && /* @__PURE__ */ a3(CredentialsForm, { entry, done }, entry.pos_type)
  ] });
}

// shared/web/onboarding/app/posStep.tsx
function PosStep() {
  const { pos, consent, missing } = useSession().onboarding;
  const [isChanging, setChanging] = d2(false);
  const isConnected = pos?.status === "Connected" || pos?.status === "Pending";
  const usesFiles = !isConnected && !missing.some(({ step }) => step === "pos_connection");
  const isSettled = isConnected || usesFiles;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(StepHeading, { children: "Connect your point of sale" }),
    pos?.status === "Connected" && /* @__PURE__ */ a3(Notice, { kind: "good", children: /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("strong", { children: pos.name }),
      " is connected since ",
      day(pos.updated_date),
      ", and its records are being read."
    ] }) }),
    pos?.status === "Pending" && /* @__PURE__ */ a3(Notice, { kind: "note", children: /* @__PURE__ */ a3("p", { children: [
      "The connection to ",
      pos.name,
      " is being checked."
    ] }) }),
    pos?.status === "Needs Attention" && /* @__PURE__ */ a3(Notice, { kind: "problem", children: /* @__PURE__ */ a3("p", { children: [
      /* @__PURE__ */ a3("strong", { children: pos.name }),
      " no longer takes the credentials, or the location is gone, so nothing is read at present. Please enter new credentials."
    ] }) }),
    pos?.status === "Not Connected" && /* @__PURE__ */ a3(Notice, { kind: "note", children: /* @__PURE__ */ a3("p", { children: [
      pos.name,
      " is disconnected, and nothing is read from it."
    ] }) }),
    usesFiles && /* @__PURE__ */ a3(Notice, { kind: "good", children: /* @__PURE__ */ a3("p", { children: "The records of your business are taken from files, so no point of sale has to be connected here." }) }),
    isSettled && !isChanging && /* @__PURE__ */ a3("p", { class: "actions", children: [
      /* @__PURE__ */ a3("a", { class: "button", href: "#documents", children: "Go on" }),
      consent && /* @__PURE__ */ a3("button", { type: "button", class: "secondary", onClick: () => setChanging(true), children: usesFiles ? "Connect a point of sale instead" : "Enter other credentials" })
    ] }),
    !consent && !isSettled && /* @__PURE__ */ a3("p", { children: [
      "Before you connect it, ",
      /* @__PURE__ */ a3("a", { href: "#consent", children: "read what is read, and give consent" }),
      "."
    ] }),
    consent && (!isSettled || isChanging) && /* @__PURE__ */ a3(PosChoice, { done: () => setChanging(false) })
  ] });
}
function PosChoice({ done }) {
  const { call } = useSession();
  const [schema, setSchema] = d2();
  const { isBusy, problem, run } = useAction();
  const read = () => run(async () => setSchema(await call("GET", "onboarding/pos-credentials-schema")));
  A2(() => {
    void read();
  }, []);
  if (schema) return /* @__PURE__ */ a3(PosForm, { schema, done });
  if (!problem) return /* @__PURE__ */ a3("p", { children: "One moment, please …" });
  return /* @__PURE__ */ a3(Notice, { kind: "problem", children: [
    /* @__PURE__ */ a3("p", { children: problem }),
    /* @__PURE__ */ a3(ActionButton, { type: "button", kind: "secondary", isBusy, busyWords: "Trying …", onClick: read, children: "Try again" })
  ] });
}

// shared/web/onboarding/app/stepList.tsx
function StepList({ present, onboarding }) {
  return /* @__PURE__ */ a3("nav", { "aria-label": "Steps", children: /* @__PURE__ */ a3("ol", { class: "steps", children: stepsOf(onboarding).map(({ name, title, isDone }, index) => /* @__PURE__ */ a3("li", { class: isDone ? "done" : void 0, children: /* @__PURE__ */ a3("a", { href: `#${name}`, "aria-current": name === present ? "step" : void 0, children: [
    /* @__PURE__ */ a3("span", { class: "mark", "aria-hidden": "true", children: isDone ? "✓" : index + 1 }),
    /* @__PURE__ */ a3("span", { children: [
      title,
      isDone && /* @__PURE__ */ a3("span", { class: "unseen", children: " (done)" })
    ] })
  ] }) }, name)) }) });
}

// shared/web/onboarding/app/submitStep.tsx
function SubmitStep() {
  const { onboarding } = useSession();
  return isSubmitted(onboarding) ? /* @__PURE__ */ a3(Submitted, {}) : /* @__PURE__ */ a3(ToSubmit, {});
}
function ToSubmit() {
  const { onboarding, call, show, refresh, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const isMissing = onboarding.missing.length > 0;
  const submit = () => run(
    async () => {
      show(await call("POST", "onboarding/submit"));
      announce("Submitted.");
    },
    async (failure) => {
      if (!(failure instanceof Rejection && failure.status === 409)) return void 0;
      const now = await refresh();
      return now && now.missing.length === 0 ? "" : "Something is still missing: see above.";
    }
  );
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(StepHeading, { children: "Submit" }),
    isMissing ? /* @__PURE__ */ a3(MissingList, { title: "Before you submit, this is still missing:" }) : /* @__PURE__ */ a3(Notice, { kind: "good", children: /* @__PURE__ */ a3("p", { children: "Everything is there." }) }),
    /* @__PURE__ */ a3("p", { children: [
      "When you submit, what you have entered is reviewed for ",
      onboarding.service_provider.name,
      ". You can still add documents, change credentials, and withdraw your consent afterwards."
    ] }),
    problem && /* @__PURE__ */ a3(Notice, { kind: "problem", children: problem }),
    /* @__PURE__ */ a3("p", { class: "actions", children: /* @__PURE__ */ a3(ActionButton, { type: "button", isBusy, busyWords: "Submitting …", onClick: submit, children: "Submit for review" }) })
  ] });
}
function Submitted() {
  const { onboarding, support } = useSession();
  const { status, service_provider: provider, business, missing } = onboarding;
  const isReviewed = status !== "svc_awaiting_review";
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(StepHeading, { children: isReviewed ? "You are set up" : "Submitted" }),
    /* @__PURE__ */ a3(Notice, { kind: "good", children: /* @__PURE__ */ a3("p", { children: isReviewed ? `${business.name} is set up with ${provider.name}.` : `Thank you. What you have entered for ${business.name} is on its way to its review.` }) }),
    missing.length > 0 && /* @__PURE__ */ a3(MissingList, { title: "This has gone missing meanwhile:" }),
    /* @__PURE__ */ a3("h3", { children: "What happens next" }),
    /* @__PURE__ */ a3("ol", { class: "next", children: [
      !isReviewed && /* @__PURE__ */ a3("li", { children: "Your documents are reviewed. If another one is needed, you are asked for it." }),
      /* @__PURE__ */ a3("li", { children: "Your point of sale is read as the terms say. There is nothing that you have to do for that." }),
      /* @__PURE__ */ a3("li", { children: [
        "With the link of your newest mail you come back to this page: to ",
        /* @__PURE__ */ a3("a", { href: "#documents", children: "replace documents" }),
        ", to ",
        /* @__PURE__ */ a3("a", { href: "#pos", children: "enter new credentials" }),
        ", or to ",
        /* @__PURE__ */ a3("a", { href: "#consent", children: "withdraw your consent" }),
        "."
      ] }),
      /* @__PURE__ */ a3("li", { children: [
        "Questions? Ask ",
        provider.name,
        ", or write to ",
        support,
        "."
      ] })
    ] })
  ] });
}
function MissingList({ title }) {
  const { onboarding } = useSession();
  return /* @__PURE__ */ a3(Notice, { kind: "note", children: [
    /* @__PURE__ */ a3("p", { children: title }),
    /* @__PURE__ */ a3("ul", { children: onboarding.missing.map((each) => {
      const { step, words } = wordsOfMissing(each, onboarding);
      return /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3("a", { href: `#${step}`, children: words }) }, words);
    }) })
  ] });
}

// shared/web/onboarding/app/useOnboarding.ts
function useOnboarding({ call, support, refused }) {
  const [onboarding, setOnboarding] = d2();
  const [trouble, setTrouble] = d2();
  const asked = T2(0);
  const shown = T2(0);
  const showAs = b((found, number) => {
    if (number < shown.current) return;
    shown.current = number;
    setOnboarding(found);
  }, []);
  const show = b(
    (found) => {
      asked.current += 1;
      showAs(found, asked.current);
    },
    [showAs]
  );
  const explain = b(
    (failure) => {
      if (!(failure instanceof Rejection && [401, 403].includes(failure.status))) return wordsOf(failure, support);
      refused();
      return void 0;
    },
    [support, refused]
  );
  const refresh = b(async () => {
    asked.current += 1;
    const number = asked.current;
    try {
      const found = await call("GET", "onboarding");
      showAs(found, number);
      setTrouble(void 0);
      return found;
    } catch (failure) {
      setTrouble(explain(failure));
      return void 0;
    }
  }, [call, explain, showAs]);
  A2(() => {
    void refresh();
    const look = () => {
      if (document.visibilityState === "visible") void refresh();
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", look);
    };
  }, [refresh]);
  return { onboarding, show, trouble, refresh, explain };
}

// shared/web/onboarding/app/uploading.ts
async function upload(call, way, told, signal) {
  const path = `onboarding/requirements/${way.requirementId}/document-uploads`;
  if (!way.hasArrived && (way.place?.expires_at ?? 0) < Date.now() + 6e4) {
    const { name, size } = way.file;
    way.place = await call("POST", path, { file_name: name, file_type: way.type, size });
  }
  if (!way.place) throw new Unreachable();
  if (!way.hasArrived) {
    await put(way.place.upload_link, way, told, signal);
    way.hasArrived = true;
  }
  signal.throwIfAborted();
  try {
    const added = await call("POST", `${path}/${way.place.document_id}`);
    return added.updated_requirement_response;
  } catch (error) {
    if (error instanceof Rejection && error.status === 422) {
      delete way.place;
      delete way.hasArrived;
    }
    throw error;
  }
}
function put(link, { file, type }, told, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", link);
    request.setRequestHeader("Content-Type", type);
    request.setRequestHeader("If-None-Match", "*");
    request.upload.onprogress = ({ loaded, total }) => told(total > 0 ? loaded / total : 0);
    request.onload = () => request.status < 300 || request.status === 412 ? resolve() : reject(new Rejection(request.status, {}));
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

// shared/web/onboarding/app/useUploads.ts
function useUploads({ call, added, explain }) {
  const [list, setList] = d2([]);
  const ways = T2(/* @__PURE__ */ new Map());
  const counter = T2(0);
  const change = (key2, changed) => setList((uploads) => uploads.map((each) => each.key === key2 ? { ...each, ...changed } : each));
  const forget = (key2) => {
    ways.current.delete(key2);
    setList((uploads) => uploads.filter((each) => each.key !== key2));
  };
  async function send(key2, way) {
    const abort = new AbortController();
    ways.current.set(key2, { way, abort });
    try {
      const requirement = await upload(call, way, (part) => change(key2, { part }), abort.signal);
      forget(key2);
      added(requirement, way.file.name);
    } catch (failure) {
      if (abort.signal.aborted) return;
      const refused = rejectionWords(failure);
      change(key2, {
        problem: refused ?? explain(failure) ?? "The file was not sent.",
        canRetry: refused === void 0
      });
    }
  }
  const isSending = list.some(({ problem }) => problem === void 0);
  A2(() => {
    if (!isSending) return;
    const ask = (event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isSending]);
  return {
    list,
    add(requirementId, files) {
      for (const file of files) {
        counter.current += 1;
        const key2 = counter.current;
        const problem = problemOf(file);
        const entry = { key: key2, requirementId, name: file.name, part: 0, canRetry: false, ...problem && { problem } };
        setList((uploads) => [...uploads, entry]);
        if (!problem) void send(key2, { file, type: typeOf(file.name) ?? "", requirementId });
      }
    },
    retry(key2) {
      const found = ways.current.get(key2);
      if (!found) return;
      setList(
        (uploads) => uploads.map((each) => {
          if (each.key !== key2) return each;
          const { problem, ...again } = each;
          return { ...again, part: 0 };
        })
      );
      void send(key2, found.way);
    },
    remove(key2) {
      ways.current.get(key2)?.abort.abort();
      forget(key2);
    }
  };
}

// shared/web/onboarding/app/onboard.tsx
var steps = { consent: ConsentStep, pos: PosStep, documents: DocumentsStep, submit: SubmitStep };
function Onboard({ call, support, refused }) {
  const { onboarding, show, trouble, refresh, explain } = useOnboarding({ call, support, refused });
  const [announced, announce] = d2("");
  const [isTrying, setTrying] = d2(false);
  const step = useStep(onboarding);
  const uploads = useUploads({
    call,
    explain,
    added: (_3, name) => {
      announce(`${name} was added.`);
      void refresh();
    }
  });
  async function tryAgain() {
    setTrying(true);
    await refresh();
    setTrying(false);
  }
  const problem = trouble && /* @__PURE__ */ a3(Notice, { kind: "problem", children: [
    /* @__PURE__ */ a3("p", { children: trouble }),
    /* @__PURE__ */ a3(ActionButton, { type: "button", kind: "secondary", isBusy: isTrying, busyWords: "Trying …", onClick: tryAgain, children: "Try again" })
  ] });
  if (!onboarding || !step) {
    return /* @__PURE__ */ a3("main", { "aria-busy": !problem, children: [
      /* @__PURE__ */ a3("h1", { children: "Connect your business" }),
      problem ?? /* @__PURE__ */ a3("p", { children: "One moment, please …" })
    ] });
  }
  const session = { onboarding, support, call, show, refresh, explain, announce, uploads };
  const Step = steps[step];
  return /* @__PURE__ */ a3(SessionContext.Provider, { value: session, children: [
    /* @__PURE__ */ a3("header", { children: [
      /* @__PURE__ */ a3("p", { class: "eyebrow", children: [
        "Invited by ",
        onboarding.service_provider.name
      ] }),
      /* @__PURE__ */ a3("h1", { children: onboarding.business.name }),
      /* @__PURE__ */ a3("p", { class: "who", children: [
        "You are ",
        onboarding.user.first_name,
        " ",
        onboarding.user.last_name,
        ", ",
        onboarding.user.email
      ] }),
      /* @__PURE__ */ a3(StepList, { present: step, onboarding })
    ] }),
    /* @__PURE__ */ a3("main", { children: [
      problem,
      /* @__PURE__ */ a3(Step, {}, step)
    ] }),
    /* @__PURE__ */ a3("footer", { children: /* @__PURE__ */ a3("p", { children: [
      "Every step is kept: you can leave, and go on with the link of your newest mail. Questions? ",
      support
    ] }) }),
    /* @__PURE__ */ a3("p", { class: "unseen", role: "status", children: announced })
  ] });
}

// shared/web/onboarding/app/token.ts
var beginning = "#iv_";
var key = "invitation-token";
function takeToken() {
  if (location.hash.startsWith(beginning)) {
    sessionStorage.setItem(key, location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(key) ?? void 0;
}

// shared/web/onboarding/app/app.tsx
function App({ support }) {
  const [token, setToken] = d2(takeToken);
  const [isRefused, setRefused] = d2(false);
  const call = w2(() => callsWith(token), [token]);
  const refuse = b(() => setRefused(true), []);
  A2(() => {
    const look = () => {
      const found = takeToken();
      if (found === token) return;
      setToken(found);
      setRefused(false);
    };
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, [token]);
  if (!token || isRefused) return /* @__PURE__ */ a3(LinkScreen, { wasRefused: isRefused, support });
  return /* @__PURE__ */ a3(Onboard, { call, support, refused: refuse }, token);
}

// shared/web/onboarding/app/main.tsx
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());
var place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  Q(/* @__PURE__ */ a3(App, { support: place.dataset.support ?? "" }), place);
}
